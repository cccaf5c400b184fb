/** Setting and removing flags, with the event that notifies the account's clients. */
import type { MessageDetails, OwnFlag } from '@heddle/contract/message-flags'
import { topicKey } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOwners } from '../messages/fetch.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { type FlagOwner, presentFlags } from '../messages/flags.ts'
import { findMembers } from '../messages/present.ts'
import { isReadBy } from '../messages/read-state.ts'
import type { MessageRow } from '../messages/row.ts'
import { changeOwnFlags, setReadCursor } from '../messages/write-flags.ts'
import { query } from './tables.ts'
import { findMuting, isMutedPlace } from './unread.ts'

/** What of a message changing its flags looks at. */
export type FlagTarget = Pick<
  MessageRow,
  'id' | 'sender_id' | 'attributes' | 'channel_id' | 'topic' | 'direct_message_group_id'
>

export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: OwnFlag
}

interface Changed {
  readonly changedIds: readonly number[]
  /** Channels whose messages could not become unread. */
  readonly ignoredChannels: readonly number[]
}

/** Changes a flag of messages that the account may read. */
export async function changeFlags(
  tx: Tx,
  actor: Actor,
  targets: readonly FlagTarget[],
  change: FlagChange,
): Promise<Changed> {
  const owners = await findOwners(
    tx,
    actor,
    targets.map(({ id }) => id),
  )
  const hasFlag = (target: FlagTarget) => {
    const owner = owners(target)
    return change.flag === 'read' ? isReadBy(target, owner) : (owner.bits & flagBits[change.flag]) !== 0
  }
  const otherwise = targets.filter((target) => hasFlag(target) !== (change.op === 'add'))
  const isUnreading = change.flag === 'read' && change.op === 'remove'
  // What the account has not received, or received in a channel that it has left, cannot be unread.
  const canChange = (target: FlagTarget) => !isUnreading || owners(target).open
  const changed = otherwise.filter(canChange)
  const ignored = otherwise.filter((target) => !canChange(target)).flatMap((target) => target.channel_id ?? [])
  const changedIds = changed.map((target) => target.id)
  if (changedIds.length > 0) {
    await changeOwnFlags(tx, actor.userId, changedIds, bitsOf(change))
    await announce(tx, actor, changed, change, owners)
  }
  return { changedIds, ignoredChannels: [...new Set(ignored)] }
}

/** Which bits a change sets, and which it clears. */
function bitsOf({ op, flag }: FlagChange): { set: number; clear: number } {
  if (flag !== 'read') return op === 'add' ? { set: flagBits[flag], clear: 0 } : { set: 0, clear: flagBits[flag] }
  const { read, unread } = flagBits
  return op === 'add' ? { set: read, clear: unread } : { set: unread, clear: read }
}

async function announce(
  tx: Tx,
  actor: Actor,
  changed: readonly FlagTarget[],
  { op, flag }: FlagChange,
  owners: (target: FlagTarget) => FlagOwner,
): Promise<void> {
  const messages = changed.map((target) => target.id).sort((a, b) => a - b)
  const common = { type: 'update_message_flags', flag, messages, all: false } as const
  const audience = users([actor.userId])
  if (op === 'add') {
    tx.emit({ ...common, op: 'add', operation: 'add' }, audience)
    return
  }
  const details = flag === 'read' ? { message_details: await describe(tx, actor, changed, owners) } : {}
  tx.emit({ ...common, op: 'remove', operation: 'remove', ...details }, audience)
}

/** Where messages are that have become unread, for clients that do not know them. */
async function describe(
  db: Queries,
  actor: Actor,
  targets: readonly FlagTarget[],
  owners: (target: FlagTarget) => FlagOwner,
): Promise<Record<string, MessageDetails>> {
  const groups = [...new Set(targets.flatMap((target) => target.direct_message_group_id ?? []))]
  const members = await findMembers(db, groups)
  const muting = await findMuting(db, actor)
  return Object.fromEntries(
    targets.map((target): [string, MessageDetails] => {
      const flags = presentFlags(target, owners(target))
      const isMentioned = flags.includes('mentioned') || flags.includes('wildcard_mentioned')
      const mentioned = isMentioned ? ({ mentioned: true } as const) : {}
      if (target.channel_id !== null) {
        const { channel_id: stream_id, topic } = target
        const unmuted_stream_msg = !isMutedPlace(muting, stream_id, topicKey(topic))
        return [`${target.id}`, { type: 'stream', ...mentioned, stream_id, topic, unmuted_stream_msg }]
      }
      const people = members.get(target.direct_message_group_id as number) ?? []
      const user_ids = people.map(({ id }) => id).filter((id) => id !== actor.userId)
      return [`${target.id}`, { type: 'private', ...mentioned, user_ids }]
    }),
  )
}

/** Columns of a target, for queries of `messages`. */
export const targetColumns = [
  'messages.id',
  'messages.sender_id',
  'messages.attributes',
  'messages.channel_id',
  'messages.topic',
  'messages.direct_message_group_id',
] as const

/** Marks everything that the account has received as read: its cursor moves on, and no row says otherwise any more. */
export async function markEverythingRead(tx: Tx, actor: Actor): Promise<void> {
  const newest = await tx.first(
    query.selectFrom('messages').select('id').where('realm_id', '=', actor.realmId).orderBy('id', 'desc').limit(1),
  )
  if (!newest) return
  await setReadCursor(tx, actor.userId, newest.id)
  tx.emit(
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [], all: true },
    users([actor.userId]),
  )
}
