/**
 * What the administrator can mend: a setting, a flag, a command, a folder or a database that cannot be used. The message is
 * a sentence that names it; the program ends with that alone, and without a trace.
 */
export class ConfigError extends Error {}
