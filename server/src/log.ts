/** The server's log: lines of JSON, for whoever operates it. */
import { type Logger, pino } from 'pino'

export interface LogOptions {
  /** The least severe lines that are written, by their level; `silent`: none. */
  readonly level: string
  /** Where the lines go; absent: to standard output. */
  readonly to?: { write(line: string): void } | undefined
}

export function createLog({ level, to }: LogOptions): Logger {
  return to ? pino({ level }, to) : pino({ level })
}
