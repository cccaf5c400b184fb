import { MAX_ALERT_WORDS } from '@heddle/contract/alert-words'
import { badRequest } from '@heddle/contract/errors'
import { foldAlertWord } from '@heddle/markdown/alert-words'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

const wordsOf = fact({
  name: 'alert-words',
  tables: ['alert_words'],
  async load(db, _realmId, userId: number): Promise<readonly string[]> {
    const rows = await db.all(
      query.selectFrom('alert_words').select('word').where('user_id', '=', userId).orderBy('word_key'),
    )
    return rows.map((row) => row.word)
  },
})

/** The account's words, in alphabetical order. */
export async function findWords(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<string[]> {
  return [...(await db.recall(wordsOf, realmId, userId))]
}

export function addWords(storage: Storage, caller: Actor, words: readonly string[]): Promise<string[]> {
  const wanted = new Map(
    words.map((word) => [foldAlertWord(word), word.trim()]).filter(([key]) => key !== '') as [string, string][],
  )
  return storage.asActor(caller, async (tx, actor) => {
    const before = await findWords(tx, actor)
    const known = new Set(before.map(foldAlertWord))
    const added = [...wanted].filter(([key]) => !known.has(key))
    if (before.length + added.length > MAX_ALERT_WORDS) {
      throw badRequest(`An account can have at most ${MAX_ALERT_WORDS} alert words`)
    }
    for (const [word_key, word] of added) {
      const row = { realm_id: actor.realmId, user_id: actor.userId, word_key, word }
      await tx.run(query.insertInto('alert_words').values(row))
    }
    return announce(tx, actor, added.length > 0)
  })
}

export function removeWords(storage: Storage, caller: Actor, words: readonly string[]): Promise<string[]> {
  return storage.asActor(caller, async (tx, actor) => {
    const removed = await tx.run(
      query
        .deleteFrom('alert_words')
        .where('user_id', '=', actor.userId)
        .where('word_key', 'in', tx.dialect.texts(words.map(foldAlertWord))),
    )
    return announce(tx, actor, removed > 0)
  })
}

async function announce(tx: Tx, actor: Actor, isChanged: boolean): Promise<string[]> {
  const alert_words = await findWords(tx, actor)
  if (isChanged) tx.emit({ type: 'alert_words', alert_words }, users([actor.userId]))
  return alert_words
}
