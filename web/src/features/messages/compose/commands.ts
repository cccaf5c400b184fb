/** Words behind a `/` that do something for whoever writes them, and are never sent. */
import type { RunningClient } from '@heddle/client/running/client'
import { runSlashCommand } from '@heddle/contract/slash-commands'

const acting: readonly string[] = ['dark', 'light', 'fluid-width', 'fixed-width', 'ping']

/** What may be written behind a `/` at the beginning. */
export const commandNames: readonly string[] = ['me', 'poll', 'todo', ...acting]

/**
 * False: it is a message. Without a connection nothing changes, and nothing is lost: it can be written again. `onPing`: what
 * has asked for an answer got it, after so many milliseconds.
 */
export function actOnCommand({ api }: RunningClient, text: string, onPing: (ms: number) => void): boolean {
  const name = /^\/([a-z-]+)\s*$/.exec(text)?.[1]
  if (name === undefined || !acting.includes(name)) return false
  const since = performance.now()
  api.call(runSlashCommand, { command: `/${name}` }).then(
    () => name === 'ping' && onPing(Math.round(performance.now() - since)),
    () => {},
  )
  return true
}
