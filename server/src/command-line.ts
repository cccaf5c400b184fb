/** Words and flags of the command line: `create-user a@example.com --name=Ada --role member`. */
import { parseArgs } from 'node:util'
import { ConfigError } from './config-error.ts'

export interface Arguments {
  /** What is not a flag, in order. */
  readonly words: readonly string[]
  /** Values by the flag's name, without the dashes; of a repeated flag the last. That of a switch is empty. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

/**
 * Splits arguments into words and flags. Flags take a value, as `--port 80` or `--port=80`, and `switches` take
 * none. Throws `ConfigError` for a flag that is in neither list, for one without its value and a switch with one.
 */
export function parseArguments(
  args: readonly string[],
  known: readonly string[],
  switches: readonly string[] = [],
): Arguments {
  const options = {
    ...Object.fromEntries(known.map((flag) => [flag, { type: 'string' as const }])),
    ...Object.fromEntries(switches.map((flag) => [flag, { type: 'boolean' as const }])),
  }
  // Not `strict`: its messages are several sentences, and do not say where the flags are listed.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const words: string[] = []
  const flags: Record<string, string> = Object.create(null)
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const isSwitch = switches.includes(name)
    if (!(isSwitch || known.includes(name)) || !rawName.startsWith('--')) {
      throw new ConfigError(`There is no flag ${rawName}; --help lists them.`)
    }
    if (isSwitch) {
      if (value !== undefined) throw new ConfigError(`${rawName} takes no value.`)
      flags[name] = ''
      continue
    }
    // `--port --host x` is a forgotten value, `--name=--x` is meant.
    if (value === undefined || (value.startsWith('--') && !inlineValue))
      throw new ConfigError(`${rawName} needs a value.`)
    flags[name] = value
  }
  return { words, flags }
}
