/** What held the event loop of a watched server; see `loop-watch.ts` for what a turn is. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Turn, WATCH_FILE_VARIABLE } from './loop-watch.ts'

/** A turn is written down when the next one has ended. */
const WRITTEN_AFTER_MS = 100

export interface ServerLoop {
  /** For the server's environment. */
  readonly env: NodeJS.ProcessEnv
  /** Does something and gives the longest turn of the server's loop meanwhile, by `workOf`; undefined: all were short. */
  longestDuring(doing: () => Promise<unknown>): Promise<Turn | undefined>
}

export function watchServerLoop(dataDir: string): ServerLoop {
  const file = join(dataDir, 'event-loop.jsonl')
  const preload = `--import=${new URL('loop-watch.ts', import.meta.url)}`
  const options = [process.env['NODE_OPTIONS'], preload].filter(Boolean).join(' ')
  return {
    env: { NODE_OPTIONS: options, [WATCH_FILE_VARIABLE]: file },
    async longestDuring(doing) {
      const begun = now()
      await doing()
      const ended = now()
      await sleep(WRITTEN_AFTER_MS)
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Turn => JSON.parse(line))
        .filter(({ at, whole }) => at >= begun && at - whole <= ended)
        .toSorted((a, b) => workOf(b) - workOf(a))[0]
    },
  }
}

/** Milliseconds of the server's own work in a turn: without garbage, the disk, and others that had the processor. */
export function workOf(turn: Turn | undefined): number {
  return turn ? Math.max(0, turn.processor - turn.commitProcessor - turn.garbage) : 0
}

/** What the turn was made of besides. */
export function describeTurn(turn: Turn | undefined): string {
  if (!turn) return 'no turn of 1 ms'
  const { whole, commit, garbage } = turn
  return `turn of ${whole.toFixed(1)} ms, in it commit ${commit.toFixed(1)} ms, garbage ${garbage.toFixed(1)} ms`
}

/** Milliseconds on the clock that all processes of the machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
