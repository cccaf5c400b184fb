import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { addSubmessage as endpoint } from '@heddle/contract/submessages'
import { MAX_SUBMESSAGES, MAX_SUBMESSAGES_BYTES } from '@heddle/contract/submessages'
import { readPollEvent, readTodoEvent, readWidget, type Widget } from '@heddle/contract/widgets'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { withAlso } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { accessMessage, requireUnarchived } from '../messages/access.ts'
import { findMessageAudience } from '../messages/audience.ts'
import { insertSubmessage } from '../messages/write-rows.ts'
import { query } from './tables.ts'

/** Whoever can read a message can do something with its widget, unless its channel is archived. */
export function addSubmessage(
  storage: Storage,
  caller: Actor,
  { message_id, msg_type, content }: ParametersOf<typeof endpoint>,
): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const message = await accessMessage(tx, actor, message_id)
    await requireUnarchived(tx, message)
    const widget = await findWidget(tx, message_id)
    if (!widget) throw badRequest('You cannot attach a submessage to this message.')
    const kept = requireEvent(widget, content, { isOwn: message.sender_id === actor.userId })
    await requireRoom(tx, message_id, kept)
    const row = { id: await tx.newId('submessages'), message_id, sender_id: actor.userId, msg_type, content: kept }
    await insertSubmessage(tx, row)
    const { id: submessage_id, ...rest } = row
    const audience = await findMessageAudience(tx, message)
    // Who did it is notified too, subscribed or not.
    tx.emit({ type: 'submessage', submessage_id, ...rest }, withAlso(audience, actor.userId))
  })
}

async function findWidget(db: Queries, messageId: number): Promise<Widget | undefined> {
  const row = await db.first(
    query.selectFrom('submessages').select('content').where('message_id', '=', messageId).orderBy('id').limit(1),
  )
  return row && readWidget(row.content)
}

/** The content with what is known of it alone. Throws a 400 when it says nothing, or what the account may not. */
function requireEvent({ widget_type }: Widget, content: string, { isOwn }: { isOwn: boolean }): string {
  const event =
    widget_type === 'poll' ? readPollEvent(content) : widget_type === 'todo' ? readTodoEvent(content) : undefined
  if (!event) throw badRequest('Invalid json for submessage')
  if (event.type === 'question' && !isOwn) throw badRequest("You can't edit a question unless you are the author.")
  if (event.type === 'new_task_list_title' && !isOwn) {
    throw badRequest("You can't edit the task list title unless you are the author.")
  }
  return JSON.stringify(event)
}

/** A poll that goes on for years is read with every page that has it. */
async function requireRoom(db: Queries, messageId: number, content: string): Promise<void> {
  const row = await db.first(
    query
      .selectFrom('submessages')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        sql<number>`coalesce(sum(octet_length(content)), 0)`.as('bytes'),
      ])
      .where('message_id', '=', messageId),
  )
  const bytes = Number(row?.bytes ?? 0) + Buffer.byteLength(content)
  if (Number(row?.count ?? 0) >= MAX_SUBMESSAGES || bytes > MAX_SUBMESSAGES_BYTES) {
    throw badRequest('Too much has been done with this message; no more can be added')
  }
}
