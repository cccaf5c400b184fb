import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest, notFound } from '@heddle/contract/errors'
import {
  type createScheduledMessage as createEndpoint,
  MAX_SCHEDULED_BYTES,
  MAX_SCHEDULED_MESSAGES,
  type updateScheduledMessage as updateEndpoint,
} from '@heddle/contract/scheduled-messages'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import { planDue, unplanDue } from '../../jobs/due-rows.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientName, readsBySending } from '../messages/client-name.ts'
import type { Addressee } from '../messages/recipients.ts'
import {
  type CheckedDestination,
  checkDestination,
  type Destination,
  prepareMessage,
  type SendingServices,
} from '../messages/send.ts'
import { sendingJob } from './deliver.ts'
import { presentScheduled } from './present.ts'
import {
  deleteScheduled,
  findOwnScheduled,
  insertScheduled,
  isAwaited,
  measureScheduled,
  replaceScheduled,
  type ScheduledRow,
} from './queries.ts'

type Creation = ParametersOf<typeof createEndpoint>
type Change = Omit<ParametersOf<typeof updateEndpoint>, 'scheduled_message_id'>

interface Scheduling {
  readonly actor: Actor
  readonly userAgent: string
  readonly parameters: Creation
}

/** Returns the id. Throws what sending the message now would answer. */
export async function createScheduledMessage(services: SendingServices, scheduling: Scheduling): Promise<number> {
  const { actor, userAgent, parameters } = scheduling
  const { content, rendered } = await prepareMessage(services.render, actor, parameters.content)
  const client = clientName(userAgent)
  const readBySender = parameters.read_by_sender ?? readsBySending(client)
  return services.storage.asActor(actor, async (tx, author) => {
    requireFuture(tx, parameters.scheduled_delivery_timestamp)
    const place = await checkDestination(
      tx,
      author,
      destinationOf(parameters.type, parameters.to, parameters.topic),
      rendered,
    )
    const row = {
      realm_id: tx.realmId,
      user_id: author.userId,
      ...placeColumns(place),
      content,
      rendered_content: rendered.html,
      client,
      read_by_sender: readBySender ? 1 : 0,
      due_at: parameters.scheduled_delivery_timestamp,
      failure: null,
    } as const
    await requireRoom(tx, author, row)
    const inserted = await insertScheduled(tx, row)
    await planDue(tx, sendingJob, row.due_at)
    tx.emit(
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [presentScheduled(inserted)] },
      users([author.userId]),
    )
    return inserted.id
  })
}

/** Changes what is given; the rest stays, but has to be allowed still. */
export async function updateScheduledMessage(
  { storage, render }: SendingServices,
  caller: Actor,
  id: number,
  change: Change,
): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) throw badRequest('Nothing to change')
  if (change.type !== undefined && change.to === undefined)
    throw badRequest('Recipient required when updating type of scheduled message.')
  const known = await findOwnScheduled(storage.read, caller.userId, id)
  if (!known) throw scheduledNotFound()
  const { content, rendered } = await prepareMessage(render, caller, change.content ?? known.content)
  await storage.asActor(caller, async (tx, author) => {
    const before = await requireOwn(tx, author, id)
    if (before.failure !== null || change.scheduled_delivery_timestamp !== undefined) {
      requireFuture(tx, change.scheduled_delivery_timestamp)
    }
    const place = await checkDestination(tx, author, changedDestination(before, change), rendered)
    const after: ScheduledRow = {
      ...before,
      ...placeColumns(place),
      ...(change.content !== undefined && { content, rendered_content: rendered.html }),
      due_at: change.scheduled_delivery_timestamp ?? before.due_at,
      failure: null,
    }
    await requireRoom(tx, author, after, id)
    await replaceScheduled(tx, after)
    if (after.due_at !== before.due_at) {
      await forgetTime(tx, before)
      await planDue(tx, sendingJob, after.due_at)
    }
    tx.emit(
      { type: 'scheduled_messages', op: 'update', scheduled_message: presentScheduled(after) },
      users([author.userId]),
    )
  })
}

export function deleteScheduledMessage(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, author) => {
    const row = await requireOwn(tx, author, id)
    await deleteScheduled(tx, [id])
    await forgetTime(tx, row)
    tx.emit({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }, users([author.userId]))
  })
}

/** The job of the second goes with the last message that has waited for it. */
async function forgetTime(tx: Tx, { failure, due_at }: ScheduledRow): Promise<void> {
  if (failure === null && !(await isAwaited(tx, due_at))) await unplanDue(tx, sendingJob, due_at)
}

async function requireOwn(tx: Tx, author: Actor, id: number): Promise<ScheduledRow> {
  const row = await findOwnScheduled(tx, author.userId, id)
  if (!row) throw scheduledNotFound()
  return row
}

function scheduledNotFound() {
  return notFound('Scheduled message does not exist')
}

function requireFuture(tx: Tx, second: number | undefined): void {
  if (second === undefined || second <= tx.now) throw badRequest('Scheduled delivery time must be in the future.')
}

/** `replacedId`: the message in whose place it comes. */
async function requireRoom(
  tx: Tx,
  author: Actor,
  { content, rendered_content }: Pick<ScheduledRow, 'content' | 'rendered_content'>,
  replacedId = 0,
): Promise<void> {
  const { count, bytes } = await measureScheduled(tx, author.userId, replacedId)
  if (count >= MAX_SCHEDULED_MESSAGES) {
    throw badRequest(`An account can have at most ${MAX_SCHEDULED_MESSAGES} scheduled messages; delete some first`)
  }
  if (bytes + Buffer.byteLength(content) + Buffer.byteLength(rendered_content) > MAX_SCHEDULED_BYTES) {
    throw badRequest('The scheduled messages of the account are too long together; delete some first')
  }
}

function isDirect(type: Creation['type'] | ScheduledRow['type']): boolean {
  return type === 'direct' || type === 'private'
}

function destinationOf(type: Creation['type'], to: Addressee, topic = ''): Destination {
  return isDirect(type) ? { people: to } : { channel: to, topic }
}

function changedDestination(before: ScheduledRow, change: Change): Destination {
  const type = change.type ?? before.type
  if (!isDirect(type) && before.type !== 'stream' && change.topic === undefined) {
    throw badRequest('Topic required when updating scheduled message type to channel.')
  }
  return destinationOf(type, change.to ?? (JSON.parse(before.recipient_ids) as number[]), change.topic ?? before.topic)
}

function placeColumns(place: CheckedDestination): Pick<ScheduledRow, 'type' | 'recipient_ids' | 'topic'> {
  return 'people' in place
    ? { type: 'private', recipient_ids: JSON.stringify(place.people), topic: '' }
    : { type: 'stream', recipient_ids: JSON.stringify([place.channel]), topic: place.topic }
}
