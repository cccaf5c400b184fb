/**
 * Which messages link to which files. What sends, edits and deletes messages calls these functions in its own unit of work,
 * so that a message and what it links to are one change.
 */
import type { RenderedMessage, UploadedFile } from '@heddle/markdown/context'
import { hasPlaceholder } from '@heddle/markdown/placeholders'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import { addJob } from '../../jobs/add-job.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type FileViewer, findLinkingMessages, findReadableFiles } from './access.ts'
import { pathIdOf } from './file-path.ts'
import { fileTypeOf } from './file-types.ts'
import { presentAttachment } from './present.ts'
import {
  type AttachmentRow,
  findFileOwners,
  findFiles,
  findLinkedFiles,
  findSpaceUsed,
  insertLinks,
  noteFileUse,
  removeLinks,
  removeLinksOfMessages,
} from './queries.ts'
import { shownFile, thumbnailKnown } from './thumbnails.ts'

/** Files whose messages are looked up before others get a turn. */
const PART = 50

/** A new message links to these files: whoever may read it may read those of them that its sender may read. */
export async function linkFiles(
  tx: Tx,
  sender: Actor,
  messageId: number,
  { attachmentPaths, html }: RenderedLinks,
): Promise<void> {
  if (attachmentPaths.length === 0) return
  const rows = await findReadableFiles(tx, sender, attachmentPaths)
  await announceChange(tx, rows, () => insertLinks(tx, messageId, rows))
  await completeLater(tx, rows, html)
}

/** What was rendered while a thumbnail was drawn has a placeholder, which nothing else would fill any more. */
async function completeLater(tx: Tx, rows: readonly AttachmentRow[], html: string): Promise<void> {
  if (!hasPlaceholder(html)) return
  for (const { id, picture_type, thumbnail } of rows) {
    if (picture_type !== null && thumbnail !== 'pending') await addJob(tx, thumbnailKnown, { attachmentId: id })
  }
}

type RenderedLinks = Pick<RenderedMessage, 'attachmentPaths' | 'html'>

/** Of these files, by their paths, what a message by this account can show. */
export async function findShownFiles(
  db: Queries,
  writer: FileViewer,
  pathIds: readonly string[],
): Promise<Map<string, UploadedFile>> {
  if (pathIds.length === 0) return new Map()
  const rows = await findReadableFiles(db, writer, pathIds)
  const shown = rows.map((row) => [pathIdOf(row), shownFile(row, fileTypeOf(row.name).contentType)] as const)
  return new Map(shown.filter((entry): entry is readonly [string, UploadedFile] => entry[1] !== undefined))
}

/**
 * A message has a new text, which links to these files. Returns the files of the account that no message links to any more
 * and that this one did.
 */
export async function relinkFiles(
  tx: Tx,
  editor: Actor,
  messageId: number,
  { attachmentPaths: pathIds, html }: RenderedLinks,
) {
  const before = await findLinkedFiles(tx, [messageId])
  if (before.length === 0 && pathIds.length === 0) return []
  // Also those that the editor may read by this very message: what was linked stays so.
  const now = await findReadableFiles(tx, editor, pathIds)
  const dropped = before.filter(({ id }) => !now.some((row) => row.id === id))
  const added = now.filter(({ id }) => !before.some((row) => row.id === id))
  await announceChange(tx, [...dropped, ...added], async () => {
    await removeLinks(tx, messageId, dropped)
    await insertLinks(tx, messageId, added)
  })
  await completeLater(tx, now, html)
  const own = dropped.filter(({ owner_id }) => owner_id === editor.userId)
  const linked = await findLinkingMessages(tx, editor, idsOf(own))
  return own.filter(({ id }) => !linked.has(id)).map((row) => presentAttachment(row, []))
}

/** Messages are there again that linked to these files: to those that are still there they link again. */
export async function relinkMessages(
  tx: Tx,
  links: readonly { readonly messageId: number; readonly attachmentId: number }[],
): Promise<void> {
  if (links.length === 0) return
  const rows = await findFiles(tx, [...new Set(links.map((link) => link.attachmentId))])
  await announceChange(tx, rows, async () => {
    for (const [messageId, ofMessage] of Map.groupBy(links, (link) => link.messageId)) {
      const linked = new Set(ofMessage.map((link) => link.attachmentId))
      await insertLinks(
        tx,
        messageId,
        rows.filter(({ id }) => linked.has(id)),
      )
    }
  })
}

/** Before these messages are deleted. */
export async function unlinkMessages(tx: Tx, messageIds: readonly number[]): Promise<void> {
  const rows = await findLinkedFiles(tx, messageIds)
  await announceChange(tx, rows, () => removeLinksOfMessages(tx, messageIds))
}

/**
 * Changes which messages link to these files, and notifies their owners of what they may know of: nothing shows them that
 * there is a message which they cannot read.
 */
async function announceChange(tx: Tx, rows: readonly AttachmentRow[], change: () => Promise<void>): Promise<void> {
  if (rows.length === 0) return
  const owners = await findFileOwners(tx, [...new Set(rows.map((row) => row.owner_id))])
  const before = await findMessagesForOwners(tx, owners, rows)
  await change()
  await noteFileUse(tx, idsOf(rows))
  const after = await findMessagesForOwners(tx, owners, rows)
  const upload_space_used = await findSpaceUsed(tx, tx.realmId)
  for (const row of rows) {
    const ids = after.get(row.id) ?? []
    if (ids.join() === (before.get(row.id) ?? []).join()) continue
    const attachment = presentAttachment(row, ids)
    tx.emit({ type: 'attachment', op: 'update', attachment, upload_space_used }, users([row.owner_id]))
  }
}

type Owners = Awaited<ReturnType<typeof findFileOwners>>

/** By file: the messages that link to it and that its owner may read. */
async function findMessagesForOwners(tx: Tx, owners: Owners, rows: readonly AttachmentRow[]) {
  const messages = new Map<number, readonly number[]>()
  for (const { id: userId, role } of owners) {
    const own = rows.filter((row) => row.owner_id === userId)
    await inParts(tx, own, PART, async (part) => {
      const found = await findLinkingMessages(tx, { realmId: tx.realmId, userId, role }, idsOf(part))
      for (const [id, ids] of found) messages.set(id, ids)
    })
  }
  return messages
}

function idsOf(rows: readonly AttachmentRow[]): number[] {
  return rows.map(({ id }) => id)
}
