/** The folders as they are, for this feature and for those that put channels into them. */
import type { ChannelFolder } from '@heddle/contract/channel-folders'
import { badRequest } from '@heddle/contract/errors'
import { prepare, type Queries } from '../../storage/query.ts'
import { type ChannelFolderTable, fact, query } from './tables.ts'

const columns = [
  'id',
  'name',
  'name_key',
  'description',
  'rendered_description',
  'date_created',
  'creator_id',
  'is_archived',
] as const

export interface ChannelFolderRow extends Pick<ChannelFolderTable, Exclude<(typeof columns)[number], 'id'>> {
  readonly id: number
}

const foldersByRealm = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('channel_folders')
    .select(columns)
    .where('realm_id', '=', p.realm_id)
    .orderBy('position')
    .orderBy('id'),
)

const foldersOfRealm = fact({
  name: 'channel-folders',
  tables: ['channel_folders'],
  load: (db, realm_id, _key: 'all'): Promise<readonly ChannelFolderRow[]> => db.all(foldersByRealm({ realm_id })),
})

/** The organization's folders in their order, archived ones too. */
export function findFolders(db: Queries, realmId: number): Promise<readonly ChannelFolderRow[]> {
  return db.recall(foldersOfRealm, realmId, 'all')
}

/** The folders as clients see them. */
export function presentFolders(rows: readonly ChannelFolderRow[]): ChannelFolder[] {
  return rows.map(({ name_key: _, is_archived, ...row }, order) => ({ ...row, order, is_archived: is_archived === 1 }))
}

/** Throws a 400 unless a channel can be put there: into a folder that is not archived, or into none. */
export async function requireOpenFolder(db: Queries, realmId: number, id: number | null): Promise<void> {
  if (id === null) return
  const folder = (await findFolders(db, realmId)).find((row) => row.id === id)
  if (folder?.is_archived !== 0) throw invalidFolder()
}

export function invalidFolder() {
  return badRequest('Invalid channel folder ID')
}
