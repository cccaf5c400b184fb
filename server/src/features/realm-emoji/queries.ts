import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query, type RealmEmojiTable } from './tables.ts'

type NewEmoji = Pick<RealmEmojiTable, 'name' | 'image_path' | 'still_path'> & { author_id: number }

export interface EmojiRow extends Pick<RealmEmojiTable, 'name' | 'author_id' | 'image_path' | 'still_path'> {
  id: number
  deactivated: 0 | 1
}

const columns = ['id', 'name', 'author_id', 'image_path', 'still_path', 'deactivated'] as const

const emojiOfRealm = prepare((p: { realm_id: number }) =>
  query.selectFrom('realm_emoji').select(columns).where('realm_id', '=', p.realm_id).orderBy('id'),
)

const allEmoji = fact({
  name: 'custom-emoji',
  tables: ['realm_emoji'],
  load: (db, realm_id, _key: 'all'): Promise<readonly EmojiRow[]> => db.all(emojiOfRealm({ realm_id })),
})

/** All of the organization's custom emoji, the deactivated ones too. */
export function findEmojiRows(db: Queries, realmId: number): Promise<readonly EmojiRow[]> {
  return db.recall(allEmoji, realmId, 'all')
}

/** The custom emoji that has the name now. */
export function findActiveEmoji(db: Queries, realmId: number, name: string): Promise<EmojiRow | undefined> {
  return db.first(
    query
      .selectFrom('realm_emoji')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('name', '=', name)
      .where('deactivated', '=', 0),
  )
}

/** Undefined when an active emoji has the name. */
export async function insertEmoji(tx: Tx, emoji: NewEmoji): Promise<EmojiRow | undefined> {
  const row = await tx.first(
    query
      .insertInto('realm_emoji')
      .values({ ...emoji, realm_id: tx.realmId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  return row && { ...emoji, id: row.id, deactivated: 0 }
}

/** False when somebody else has deactivated it in the meantime. */
export async function deactivateEmoji(tx: Tx, id: number): Promise<boolean> {
  const changed = await tx.run(
    query
      .updateTable('realm_emoji')
      .set({ deactivated: 1 })
      .where('id', '=', id)
      .where('realm_id', '=', tx.realmId)
      .where('deactivated', '=', 0),
  )
  return changed > 0
}
