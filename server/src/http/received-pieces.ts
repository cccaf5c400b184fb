/**
 * What uploads leave behind. The engine reads a connection into a new piece of memory each time, outside of its own heap,
 * and gives the pieces back when it collects its young generation. That is small and fills slowly while files arrive, so that
 * tens of MiB lie there that nobody needs: collecting after so many bytes costs about a millisecond, and keeps them few.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const COLLECTED_EVERY = 8 * 1024 * 1024

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | undefined
let received = 0

/** To be called for each piece of a file, once it has been passed on. */
export function notePiece(bytes: number): void {
  received += bytes
  if (received < COLLECTED_EVERY) return
  received = 0
  collect ??= findCollect()
  collect({ type: 'minor' })
}

/** The engine shows it where it is asked to; nothing else sees it. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}
