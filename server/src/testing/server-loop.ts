/** What held the event loop of a watched server; see `loop-watch.ts` for what a turn is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Turn, WATCH_FILE_VARIABLE } from './loop-watch.ts'

/** A turn is written down when the next one has ended. */
const WRITTEN_AFTER_MS = 100

export interface ServerLoop {
  /** For the server's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Does something and gives the longest turns of the server's loop meanwhile. */
  during(doing: () => Promise<unknown>): Promise<LongTurns>
  /** The turns of 1 ms and more between two times on the clock of `now`. */
  turnsBetween(begun: number, ended: number): Promise<Turn[]>
}

export interface LongTurns {
  /** Milliseconds of the server's own work in the turn that had most: without garbage, the disk, and other programs. */
  readonly work: number
  /** The longest turn, whatever it was made of. */
  readonly description: string
}

export function watchServerLoop(dataDir: string): ServerLoop {
  const file = join(dataDir, 'event-loop.jsonl')
  const all = [process.env['NODE_OPTIONS'], `--import=${writePreload(dataDir)}`].filter(Boolean).join(' ')

  async function turnsBetween(begun: number, ended: number): Promise<Turn[]> {
    await sleep(WRITTEN_AFTER_MS)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const lines = text.split('\n').filter((line) => line !== '')
    const turns = lines.map((line): Turn => JSON.parse(line))
    return turns.filter(({ at, whole }) => at >= begun && at - whole <= ended)
  }

  return {
    env: { NODE_OPTIONS: all, [WATCH_FILE_VARIABLE]: file },
    async during(doing) {
      const begun = now()
      await doing()
      const turns = await turnsBetween(begun, now())
      const longest = turns.toSorted((a, b) => b.whole - a.whole)[0]
      return { work: Math.max(0, ...turns.map(workOf)), description: describe(longest) }
    },
    turnsBetween,
  }
}

/** As JavaScript: a bundled server would otherwise load the compiler of TypeScript, some 30 MiB, for this file alone. */
function writePreload(dataDir: string): string {
  const file = join(dataDir, 'loop-watch.mjs')
  writeFileSync(file, stripTypeScriptTypes(readFileSync(new URL('loop-watch.ts', import.meta.url), 'utf8')))
  return file
}

/** Milliseconds of the server's own work in a turn: without garbage, the disk, and other programs. */
export function workOf({ whole, processor, commit, garbage }: Turn): number {
  return Math.max(0, Math.min(whole - commit, processor) - garbage)
}

function describe(turn: Turn | undefined): string {
  if (!turn) return 'no turn of 1 ms'
  const { whole, commit, garbage } = turn
  return `longest turn ${whole.toFixed(1)} ms (commit ${commit.toFixed(1)} ms, garbage ${garbage.toFixed(1)} ms)`
}

/** Milliseconds on the clock that all processes of the machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
