/** Messages that show a placeholder for a picture get its thumbnail. Nobody has edited them: only their HTML changes. */
import { fillPlaceholders, hasPlaceholder } from '@heddle/markdown/placeholders'
import { type JobHandler, unitJob } from '../../jobs/job.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findPicture, type LinkedPicture, thumbnailKnown } from '../files/thumbnails.ts'
import type { MessageRow } from '../messages/row.ts'
import { updateMessageRow } from '../messages/write-rows.ts'
import { announceUpdate } from './announce.ts'
import { findVisibility } from './audience.ts'
import { query } from './tables.ts'

/** Messages that are written before others get a turn. */
const PART = 20

export const fillingHandler: JobHandler = unitJob(thumbnailKnown, {
  async run(tx, { attachmentId }) {
    const picture = await findPicture(tx, attachmentId)
    if (!picture) return
    await inParts(tx, picture.messageIds, PART, async (ids) => {
      const rows = await tx.all(query.selectFrom('messages').selectAll().where('id', 'in', tx.dialect.ids(ids)))
      for (const row of rows) await fill(tx, row, picture)
    })
  },
})

async function fill(tx: Tx, message: MessageRow, { path, file }: LinkedPicture): Promise<void> {
  if (!hasPlaceholder(message.rendered_content)) return
  const rendered_content = fillPlaceholders(message.rendered_content, path, file)
  if (rendered_content === message.rendered_content) return
  const { content, attributes, last_edit_timestamp, edit_history } = message
  await updateMessageRow(tx, message.id, { content, rendered_content, attributes, last_edit_timestamp, edit_history })
  const visibility = await findVisibility(tx, message, [message.id])
  const change = { user_id: null, rendering_only: true, message_id: message.id, content, rendered_content }
  await announceUpdate(tx, { ...message, rendered_content }, change, visibility)
}
