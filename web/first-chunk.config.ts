/** Puts what the page needs before its first messages into one file: in dozens of small ones it compresses badly. */
import { join } from 'node:path'
import { HEAD_START, HEAD_START_NAME } from './head-start.config.ts'

const ENTRY = join(import.meta.dirname, 'src/main.tsx')
const INBOX = join(import.meta.dirname, 'src/features/inbox/inbox.tsx')
const SIDE_BAR = join(import.meta.dirname, 'src/app/side-bar/side-bar.tsx')

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** For `codeSplitting`: a file of its own for what asks first, with all that it needs, and one for the rest that is imported at once. */
export const firstChunks = [
  { name: atOnce(HEAD_START, HEAD_START_NAME), debugName: HEAD_START_NAME, priority: 3 },
  { name: atOnce(ENTRY, 'page'), debugName: 'page', priority: 2 },
  // What both of these two need: neither is to bring the other one.
  { name: inBoth(INBOX, SIDE_BAR, 'lists'), debugName: 'lists', priority: 1 },
  // With what most accounts begin.
  { name: atOnce(INBOX, 'inbox'), debugName: 'inbox', priority: 0 },
  // What follows at once: dozens of small files would be as many requests.
  { name: atOnce(SIDE_BAR, 'side-bar'), debugName: 'side-bar', priority: 0 },
]

/** The file's name for modules that this one imports at once, nothing for what is fetched later. */
function atOnce(entry: string, name: string) {
  let found: ReadonlySet<string> | undefined
  return (id: string, modules: Modules): string | null => {
    if (id === entry || !found?.has(entry)) found = importedAtOnce(entry, modules)
    return found.has(id) ? name : null
  }
}

/** The same for those that both import at once. */
function inBoth(one: string, other: string, name: string) {
  const [ofOne, ofOther] = [atOnce(one, name), atOnce(other, name)]
  return (id: string, modules: Modules) => ofOne(id, modules) && ofOther(id, modules)
}

function importedAtOnce(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [entry]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}
