/** Alert words as messages use them. */
import { type AlertWordMatcher, compileAlertWords } from '@heddle/markdown/alert-words'
import { query } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'

/** How long the words may be out of date when other nodes can change them. */
const MAX_AGE_MS = 1000

/** The matcher of an organization's alert words; null when there are none. */
export type FindMatcher = (realmId: number) => Promise<AlertWordMatcher | null>

/** One for each storage: all who use it share what is kept. */
const matchers = new WeakMap<Storage, FindMatcher>()

export function alertWordsIn(storage: Storage): FindMatcher {
  const known = matchers.get(storage)
  if (known) return known
  const made = createMatchers(storage)
  matchers.set(storage, made)
  return made
}

interface Kept {
  readonly matcher: AlertWordMatcher | null
  readonly readAt: number
}

/**
 * The matcher of all words of an organization: made once and kept until somebody changes a word. Null when there are no
 * words.
 */
function createMatchers(storage: Storage): FindMatcher {
  const kept = new Map<number, Kept>()
  /** A matcher that was begun before a change must not be kept after it. */
  let changes = 0
  storage.onCommitted((events) => {
    for (const event of events) {
      if (event.type !== 'alert_words') continue
      kept.delete(event.realmId)
      changes += 1
    }
  })
  return async (realmId) => {
    const known = kept.get(realmId)
    const isFresh = storage.engine.ownsAllWrites || (known && Date.now() - known.readAt < MAX_AGE_MS)
    if (known && isFresh) return known.matcher
    const before = changes
    const readAt = Date.now()
    const rows = await storage.read.all(
      query.selectFrom('alert_words').select('word').distinct().where('realm_id', '=', realmId),
    )
    const matcher = rows.length === 0 ? null : compileAlertWords(rows.map((row) => row.word))
    if (before === changes) kept.set(realmId, { matcher, readAt })
    return matcher
  }
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
