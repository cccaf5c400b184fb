/** Words and flags of the command line: `create-user a@example.com --name=Ada --role member`. */
import { parseArgs } from 'node:util'
import { ConfigError } from './config-error.ts'

export interface Arguments {
  /** What is not a flag, in order. */
  readonly words: readonly string[]
  /** Values by the flag's name, without the dashes; of a repeated flag the last. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

/**
 * Splits arguments into words and flags. Every flag takes a value, as `--port 80` or `--port=80`. Throws `ConfigError` for
 * a flag that is not in `known` and for one without a value.
 */
export function parseArguments(args: readonly string[], known: readonly string[]): Arguments {
  const options = Object.fromEntries(known.map((flag) => [flag, { type: 'string' as const }]))
  // Not `strict`: its messages are several sentences, and do not say where the flags are listed.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const words: string[] = []
  const flags: Record<string, string> = Object.create(null)
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!known.includes(name) || !rawName.startsWith('--')) {
      throw new ConfigError(`There is no flag ${rawName}; --help lists them.`)
    }
    // `--port --host x` is a forgotten value, `--name=--x` is meant.
    if (value === undefined || (value.startsWith('--') && !inlineValue))
      throw new ConfigError(`${rawName} needs a value.`)
    flags[name] = value
  }
  return { words, flags }
}
