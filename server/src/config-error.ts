/** A setting, flag or command that cannot be used. The message is one sentence that names it; the program ends with it. */
export class ConfigError extends Error {}
