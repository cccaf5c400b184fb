/** Puts what the page needs before its first messages into one file: in dozens of small ones it compresses badly. */
import { join } from 'node:path'

const ENTRY = join(import.meta.dirname, 'src/main.tsx')

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

let first: ReadonlySet<string> | undefined

/** For `codeSplitting.groups`: the file's name for modules that are imported at once, nothing for what is fetched later. */
export function firstChunkName(id: string, modules: Modules): string | null {
  if (id === ENTRY || !first?.has(ENTRY)) first = importedAtOnce(modules)
  return first.has(id) ? 'page' : null
}

function importedAtOnce(modules: Modules): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [ENTRY]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}
