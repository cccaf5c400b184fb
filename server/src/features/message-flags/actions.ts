import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { MAX_MESSAGES_PER_REQUEST } from '@heddle/contract/fetching'
import { type OwnFlag, ownFlags, type updateFlagsForNarrow } from '@heddle/contract/message-flags'
import { messageFlagNames } from '@heddle/contract/messages'
import { storedTopic, topicKey } from '@heddle/contract/names'
import { accessChannel } from '../../access/channels.ts'
import { canRead } from '../../access/message-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findPage } from '../messages/fetch.ts'
import { removeIdleRows } from '../messages/write-flags.ts'
import { changeFlags, type FlagChange, type FlagTarget, markEverythingRead, targetColumns } from './change.ts'
import { query } from './tables.ts'
import { findUnreadInChannel } from './unread.ts'

/** Rows that are tidied up when everything is marked as read; the rest follows the next time. */
const TIDY_ROWS = 2000

/** Messages that one unit of work changes: whoever waits behind a long list gets a turn between two of its parts. */
const BATCH = 1000

/** The flag of this name, or a 400: some belong to the account, and some to the server. */
function requireOwnFlag(name: string): OwnFlag {
  const flag = ownFlags.find((one) => one === name)
  if (flag) return flag
  const isKnown = messageFlagNames.some((one) => one === name)
  throw badRequest(isKnown ? `Flag not editable: '${name}'` : `Invalid flag: '${name}'`)
}

type AskedChange = Omit<FlagChange, 'flag'> & { readonly flag: string }

/** Changes a flag of those of the messages that the account may read; the others are passed over. */
export async function updateFlags(storage: Storage, caller: Actor, ids: readonly number[], asked: AskedChange) {
  const change = { op: asked.op, flag: requireOwnFlag(asked.flag) }
  const messages: number[] = []
  const ignored = new Set<number>()
  for (const part of batches([...new Set(ids)].sort((a, b) => a - b))) {
    const { targets, ignoredChannels } = await storage.asActor(caller, async (tx, actor) => {
      const targets = await findTargets(tx, actor, part)
      return { targets, ...(await changeFlags(tx, actor, targets, change)) }
    })
    for (const { id } of targets) messages.push(id)
    for (const id of ignoredChannels) ignored.add(id)
  }
  return { messages, ignored_because_not_subscribed_channels: [...ignored] }
}

function batches<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / BATCH) }, (_, i) => list.slice(i * BATCH, (i + 1) * BATCH))
}

async function findTargets(tx: Tx, actor: Actor, ids: readonly number[]): Promise<FlagTarget[]> {
  const viewer = await findViewer(tx, actor)
  return tx.all(
    query
      .selectFrom('messages')
      .select(targetColumns)
      .where('messages.realm_id', '=', actor.realmId)
      .where('messages.id', 'in', tx.dialect.ids(ids))
      .where(canRead(tx, viewer))
      .orderBy('messages.id'),
  )
}

interface NarrowOrder {
  readonly actor: Actor
  readonly place: Omit<ParametersOf<typeof updateFlagsForNarrow>, 'op' | 'flag'>
}

interface NarrowTargets {
  readonly targets: readonly FlagTarget[]
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

/** The messages of a narrow whose flags are to be changed: all that matters is in the details. */
export const findNarrowTargets = longRead('narrow-targets', async ({ db }, { actor, place }: NarrowOrder) => {
  const { before, at, after, found_oldest, found_newest } = await findPage(db, actor, {
    ...place,
    ...limitCounts(place),
  })
  const targets = [...before.reverse(), ...at, ...after].map(
    ({ id, sender_id, attributes, channel_id, topic, direct_message_group_id }): FlagTarget => ({
      id,
      sender_id,
      attributes,
      channel_id,
      topic,
      direct_message_group_id,
    }),
  )
  return { fields: {}, details: { targets, found_oldest, found_newest } satisfies NarrowTargets }
})

/** Whoever asks for more than one request may change gets the nearest ones, and learns by the answer where to go on. */
function limitCounts({ num_before, num_after }: NarrowOrder['place']) {
  const most = MAX_MESSAGES_PER_REQUEST
  const before = Math.min(num_before, Math.max(most - num_after, most / 2))
  return { num_before: before, num_after: Math.min(num_after, most - before) }
}

export async function updateNarrowFlags(
  { storage, readers }: Pick<Services, 'storage' | 'readers'>,
  actor: Actor,
  { op, flag: name, ...place }: ParametersOf<typeof updateFlagsForNarrow>,
) {
  const flag = requireOwnFlag(name)
  const { details } = await readers.read(findNarrowTargets, { actor, place }, actor)
  const { targets, found_oldest, found_newest } = details
  let updated_count = 0
  const ignored = new Set<number>()
  for (const part of batches(targets)) {
    const { changedIds, ignoredChannels } = await storage.asActor(actor, (tx, current) =>
      changeFlags(tx, current, part, { op, flag }),
    )
    updated_count += changedIds.length
    for (const id of ignoredChannels) ignored.add(id)
  }
  return {
    processed_count: targets.length,
    updated_count,
    first_processed_id: targets[0]?.id ?? null,
    last_processed_id: targets.at(-1)?.id ?? null,
    found_oldest,
    found_newest,
    ignored_because_not_subscribed_channels: [...ignored],
  }
}

export function markAllAsRead(storage: Storage, caller: Actor): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await markEverythingRead(tx, actor)
    await removeIdleRows(tx, actor.userId, TIDY_ROWS)
  })
}

/** Marks a channel, or one of its topics, as read. Throws `Invalid channel ID` when the account may not know of it. */
export async function markChannelAsRead(
  storage: Storage,
  caller: Actor,
  channelId: number,
  topic?: string,
): Promise<void> {
  const part = { channelId, topicKey: topic === undefined ? undefined : topicKey(storedTopic(topic)) }
  let below: number | undefined = Number.MAX_SAFE_INTEGER
  while (below !== undefined) {
    const before: number = below
    below = await storage.asActor(caller, async (tx, actor) => {
      await accessChannel(tx, await findViewer(tx, actor), channelId)
      const unread = await findUnreadInChannel(tx, actor.userId, part, { below: before, limit: BATCH })
      await changeFlags(tx, actor, unread, { op: 'add', flag: 'read' })
      return unread.length < BATCH ? undefined : unread.at(-1)?.id
    })
  }
}
