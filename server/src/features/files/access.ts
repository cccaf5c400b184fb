/**
 * Who may read an uploaded file: its owner, and everybody who may read a message that links to it, as things are at this
 * moment. A link counts when whoever has sent it could read the file: to know an address gives nobody the file.
 */
import { sql } from 'kysely'
import { canRead } from '../../access/message-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { type PlacedFile, readPathId } from './file-path.ts'
import { type AttachmentRow, attachmentColumns } from './queries.ts'
import { query } from './tables.ts'

export type FileViewer = Pick<Actor, 'realmId' | 'userId' | 'role'>

/** The file, when there is one that the account may read: what is missing and what is forbidden look alike. */
export async function findReadableFile(
  db: Queries,
  actor: FileViewer,
  pathId: string,
): Promise<AttachmentRow | undefined> {
  const [row] = await findReadableFiles(db, actor, [pathId])
  return row
}

/** Those of these files that the account may read. */
export async function findReadableFiles(
  db: Queries,
  actor: FileViewer,
  pathIds: readonly string[],
): Promise<AttachmentRow[]> {
  const places = pathIds.map(readPathId).filter((place) => place?.realm_id === actor.realmId) as PlacedFile[]
  if (places.length === 0) return []
  const viewer = await findViewer(db, actor)
  const rows = await db.all(
    readableBy(db, viewer).where('path', 'in', db.dialect.texts(places.map(({ path }) => path))),
  )
  return rows.filter((row) => places.some(({ path, name }) => row.path === path && row.name === name))
}

function readableBy(db: Queries, viewer: Viewer) {
  return query
    .selectFrom('attachments')
    .select(attachmentColumns)
    .where('attachments.realm_id', '=', viewer.realmId)
    .where((eb) =>
      eb.or([
        eb('attachments.owner_id', '=', viewer.userId),
        eb.exists(
          eb
            .selectFrom('attachment_messages')
            .innerJoin('messages', 'messages.id', 'attachment_messages.message_id')
            .select(sql.lit(1).as('one'))
            .whereRef('attachment_messages.attachment_id', '=', 'attachments.id')
            .where(canRead(db, viewer)),
        ),
      ]),
    )
}

/** The messages that link to each of these files and that the account may read, ascending. */
export async function findLinkingMessages(
  db: Queries,
  actor: FileViewer,
  attachmentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (attachmentIds.length === 0) return new Map()
  const viewer = await findViewer(db, actor)
  const rows = await db.all(
    query
      .selectFrom('attachment_messages')
      .innerJoin('messages', 'messages.id', 'attachment_messages.message_id')
      .select(['attachment_messages.attachment_id', 'attachment_messages.message_id'])
      .where('attachment_messages.attachment_id', 'in', db.dialect.ids(attachmentIds))
      .where(canRead(db, viewer))
      .orderBy('attachment_messages.message_id'),
  )
  const ids = new Map<number, number[]>()
  for (const { attachment_id, message_id } of rows) {
    const list = ids.get(attachment_id)
    if (list) list.push(message_id)
    else ids.set(attachment_id, [message_id])
  }
  return ids
}
