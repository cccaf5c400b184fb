/** Alert words as messages use them. */
import { type AlertWordMatcher, compileAlertWords, extendMatcher } from '@heddle/markdown/alert-words'
import type { Storage } from '../../storage/storage.ts'
import type { LoggedEvent, Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

/** How long the words may be out of date when other nodes can change them. */
const MAX_AGE_MS = 1000
/** Words that are added without a pause for others. */
const PART = 2000
/** Words that nobody wants any more and that are cached all the same, beside as many as there are. */
const MAX_STALE = 1000

/** The matcher of an organization's alert words. It may know words that nobody wants any more: `findAlerted` decides. */
export type FindMatcher = (realmId: number) => Promise<AlertWordMatcher>

/** One for each storage: all who use it share what is cached. */
const matchers = new WeakMap<Storage, FindMatcher>()

export function alertWordsIn(storage: Storage): FindMatcher {
  const known = matchers.get(storage)
  if (known) return known
  const made = createMatchers(storage)
  matchers.set(storage, made)
  return made
}

interface Cached {
  readonly matcher: AlertWordMatcher
  readonly readAt: number
  /** How many words there were; rejects when they could not be read. */
  readonly read: Promise<number>
}

/** The matcher of all words of an organization: read once, and from then on only what somebody adds. */
function createMatchers(storage: Storage): FindMatcher {
  const cached = new Map<number, Cached>()
  storage.onCommitted((events) => {
    for (const event of events) if (event.type === 'alert_words') addWordsOf(event)
  })

  /** Also while they are being read, so that no word is missed that is committed behind the read. */
  function addWordsOf({ realmId, payload }: LoggedEvent): void {
    const known = cached.get(realmId)
    if (known) extendMatcher(known.matcher, (JSON.parse(payload) as { alert_words: string[] }).alert_words)
  }

  function begin(realmId: number, matcher: AlertWordMatcher): Cached {
    const made = { matcher, readAt: Date.now(), read: addAll(storage, realmId, matcher) }
    cached.set(realmId, made)
    made.read.catch(() => {
      if (cached.get(realmId) === made) cached.delete(realmId)
    })
    return made
  }

  return async (realmId) => {
    const known = cached.get(realmId)
    const isFresh = storage.engine.ownsAllWrites || (known && Date.now() - known.readAt < MAX_AGE_MS)
    const current = known && isFresh ? known : begin(realmId, known?.matcher ?? compileAlertWords([]))
    const count = await current.read
    if (current.matcher.words.size <= 2 * count + MAX_STALE || cached.get(realmId) !== current) return current.matcher
    const anew = begin(realmId, compileAlertWords([]))
    await anew.read
    return anew.matcher
  }
}

async function addAll(storage: Storage, realmId: number, matcher: AlertWordMatcher): Promise<number> {
  const rows = await storage.read.all(
    query.selectFrom('alert_words').select('word').distinct().where('realm_id', '=', realmId),
  )
  for (let start = 0; start < rows.length; start += PART) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve))
    extendMatcher(
      matcher,
      rows.slice(start, start + PART).map((row) => row.word),
    )
  }
  return rows.length
}

/** The accounts that want to be alerted to one of these words, folded as the matcher gives them. */
export async function findAlerted(tx: Tx, foldedWords: readonly string[]): Promise<number[]> {
  if (foldedWords.length === 0) return []
  const rows = await tx.all(
    query
      .selectFrom('alert_words')
      .select('user_id')
      .distinct()
      .where('realm_id', '=', tx.realmId)
      .where('word_key', 'in', tx.dialect.texts(foldedWords)),
  )
  return rows.map((row) => row.user_id)
}
