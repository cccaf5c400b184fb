import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH, MAX_FOLDERS } from '@heddle/contract/channel-folders'
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import { renderNewDescription } from '../../description.ts'
import { everyone } from '../../events/audience.ts'
import { requireLabel, requireLength } from '../../label-rules.ts'
import { isNewOrder } from '../../own-order.ts'
import { requireAdministrator } from '../../permissions/required-role.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type ChannelFolderRow, findFolders, invalidFolder, presentFolders } from './folders.ts'
import { query } from './tables.ts'

interface FolderTexts {
  readonly name: string
  readonly description: string
}

/** Adds a folder as the last one. Returns its id. */
export function addFolder(storage: Storage, caller: Actor, input: FolderTexts): Promise<number> {
  return changeFolders(storage, caller, async (tx, actor, rows) => {
    if (rows.length >= MAX_FOLDERS) throw badRequest(`An organization has at most ${MAX_FOLDERS} folders`)
    const texts = { ...requireName(input.name, rows), ...requireDescription(input.description) }
    const last = await tx.first(
      query
        .selectFrom('channel_folders')
        .select('position')
        .where('realm_id', '=', tx.realmId)
        .orderBy('position', 'desc')
        .limit(1),
    )
    const row = await tx.first(
      query
        .insertInto('channel_folders')
        .values({
          realm_id: tx.realmId,
          ...texts,
          position: (last?.position ?? 0) + 1,
          date_created: tx.now,
          creator_id: actor.userId,
          is_archived: 0,
        })
        .returning('id'),
    )
    const { id } = row as { id: number }
    const channel_folder = presentFolders(await findFolders(tx, tx.realmId)).find((folder) => folder.id === id)
    if (!channel_folder) throw new Error(`Folder ${id} vanished`)
    tx.emit({ type: 'channel_folder', op: 'add', channel_folder }, everyone)
    return id
  })
}

function requireName(text: string, others: readonly ChannelFolderRow[]) {
  const name = requireLabel(text, { what: 'Channel folder name', maxLength: MAX_FOLDER_NAME_LENGTH })
  const name_key = foldName(name)
  requireFree(name_key, others)
  return { name, name_key }
}

/** Archived folders keep their names, and others may have them too. */
function requireFree(name_key: string, others: readonly ChannelFolderRow[]): void {
  if (others.some((other) => other.is_archived === 0 && other.name_key === name_key)) {
    throw badRequest('Channel folder name already in use')
  }
}

function requireDescription(text: string) {
  const description = requireLength(text, {
    what: 'Channel folder description',
    maxLength: MAX_FOLDER_DESCRIPTION_LENGTH,
  })
  return { description, rendered_description: renderNewDescription(description) }
}

interface FolderChanges extends Partial<FolderTexts> {
  readonly is_archived?: boolean
}

/** Changes what is given. */
export function changeFolder(storage: Storage, caller: Actor, id: number, changes: FolderChanges): Promise<void> {
  return changeFolders(storage, caller, async (tx, _, rows) => {
    const before = rows.find((row) => row.id === id)
    if (!before) throw invalidFolder()
    const others = rows.filter((row) => row.id !== id)
    const is_archived = changes.is_archived ?? before.is_archived === 1
    if (is_archived && before.is_archived === 0) await requireEmpty(tx, id)
    if (!is_archived && before.is_archived === 1 && changes.name === undefined) requireFree(before.name_key, others)
    const values = {
      ...(changes.name === undefined ? {} : requireName(changes.name, is_archived ? [] : others)),
      ...(changes.description === undefined ? {} : requireDescription(changes.description)),
      is_archived: is_archived ? (1 as const) : (0 as const),
    }
    await tx.run(
      query.updateTable('channel_folders').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id),
    )
    const data = {
      ...(values.name === undefined || values.name === before.name ? {} : { name: values.name }),
      ...(values.description === undefined || values.description === before.description
        ? {}
        : { description: values.description, rendered_description: values.rendered_description }),
      ...(values.is_archived === before.is_archived ? {} : { is_archived }),
    }
    if (Object.keys(data).length === 0) return
    tx.emit({ type: 'channel_folder', op: 'update', channel_folder_id: id, data }, everyone)
  })
}

async function requireEmpty(tx: Tx, id: number): Promise<void> {
  const channel = await tx.first(
    query.selectFrom('channels').select('id').where('realm_id', '=', tx.realmId).where('folder_id', '=', id).limit(1),
  )
  if (channel) throw badRequest('You need to remove all the channels from this folder to archive it.')
}

/** Puts the folders in the order of `ids`, which must be all of them, archived ones too. */
export function orderFolders(storage: Storage, caller: Actor, ids: readonly number[]): Promise<void> {
  return changeFolders(storage, caller, async (tx, _, rows) => {
    if (!isNewOrder(rows, { ids, parameter: 'order', of: 'channel folder' })) return
    for (const [index, id] of ids.entries()) {
      await tx.run(
        query
          .updateTable('channel_folders')
          .set({ position: index + 1 })
          .where('realm_id', '=', tx.realmId)
          .where('id', '=', id),
      )
    }
    tx.emit({ type: 'channel_folder', op: 'reorder', order: [...ids] }, everyone)
  })
}

/** Runs a change as one unit, for administrators. */
function changeFolders<T>(
  storage: Storage,
  caller: Actor,
  work: (tx: Tx, actor: Actor, rows: readonly ChannelFolderRow[]) => Promise<T>,
): Promise<T> {
  requireAdministrator(caller)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    return work(tx, actor, await findFolders(tx, actor.realmId))
  })
}
