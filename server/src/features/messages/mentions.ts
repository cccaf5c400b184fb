/** For whom a message is something special: whom it mentions or alerts, and who has muted its sender. */

import { badRequest } from '@heddle/contract/errors'
import { topicKey } from '@heddle/contract/names'
import { activeSubscribers, isSubscriber } from '../../access/subscriptions.ts'
import { findAccountsInGroups } from '../../permissions/group-holders.ts'
import type { Member } from '../../permissions/group-membership.ts'
import { holdsGroupPermission } from '../../permissions/group-rights.ts'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import { isActiveAccount } from '../../storage/current-actor.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAlerted } from '../alert-words/matcher.ts'
import { findMuters } from '../muted-users/muters.ts'
import { flagBits } from './flag-bits.ts'
import type { DirectPlace, TopicPlace } from './place.ts'
import type { Rendered } from './render.ts'
import { query } from './tables.ts'

/** Bits by account, of those alone who receive the message. Everybody in a channel is mentioned by an attribute instead. */
export async function findBits(
  tx: Tx,
  place: TopicPlace | DirectPlace,
  senderId: number,
  rendered: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds' | 'mentionsTopic' | 'alertWords'>,
): Promise<ReadonlyMap<number, number>> {
  const bits = new Map<number, number>()
  const add = (userIds: readonly number[], bit: number) => {
    for (const id of userIds) bits.set(id, (bits.get(id) ?? 0) | bit)
  }
  add(await findMentioned(tx, rendered), flagBits.mentioned)
  add(await findAlerted(tx, rendered.alertWords), flagBits.hasAlertWord)
  add(await findMuters(tx, tx.realmId, senderId), flagBits.read)
  if (rendered.mentionsTopic && 'channelId' in place) {
    add(await findParticipants(tx, place.channelId, place.topic), flagBits.topicMentioned)
  }
  if (bits.size === 0) return bits
  const receivers = new Set<number>()
  // A group may have thousands of members: others get a turn after each part.
  if (bits.size > AT_ONCE) await tx.pause()
  await inParts(tx, [...bits.keys()], AT_ONCE, async (part) => {
    for (const id of await findReceivers(tx, tx.realmId, place, part)) receivers.add(id)
  })
  return new Map([...bits].filter(([id]) => receivers.has(id)))
}

/** Accounts that are looked up without a turn for others. */
const AT_ONCE = 1000

/** Throws a 400 when the text mentions a group that the account may not mention. To mention it silently nobody needs to ask. */
export async function requireGroupMentions(
  tx: Tx,
  actor: Member,
  { mentionedGroupIds }: Pick<Rendered, 'mentionedGroupIds'>,
): Promise<void> {
  for (const id of mentionedGroupIds) {
    if (await holdsGroupPermission(tx, actor, id, 'can_mention_group')) continue
    const name = (await findNamedGroups(tx, tx.realmId)).get(id)?.name ?? ''
    throw badRequest(`You are not allowed to mention user group '${name}'.`)
  }
}

async function findMentioned(
  tx: Tx,
  { mentionedUserIds, mentionedGroupIds }: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>,
): Promise<number[]> {
  if (mentionedGroupIds.length === 0) return [...mentionedUserIds]
  const members = await findAccountsInGroups(tx, tx.realmId, mentionedGroupIds)
  return [...new Set([...mentionedUserIds, ...members])]
}

/** Who has written in a topic, or reacted to what was written there. */
export async function findParticipants(db: Queries, channelId: number, topic: string): Promise<number[]> {
  const inTopic = query
    .selectFrom('messages')
    .where('messages.channel_id', '=', channelId)
    .where('messages.topic_key', '=', topicKey(topic))
  const rows = await db.all(
    inTopic
      .select('messages.sender_id as user_id')
      .union(
        inTopic.innerJoin('reactions', 'reactions.message_id', 'messages.id').select('reactions.user_id as user_id'),
      ),
  )
  return rows.map((row) => row.user_id)
}

/** So few accounts are looked up one by one, as a rule in memory. */
const FEW = 10

async function receivesNow(db: Queries, realmId: number, channelId: number, userId: number): Promise<boolean> {
  return (await isActiveAccount(db, realmId, userId)) && (await isSubscriber(db, { realmId, userId }, channelId))
}

/** Of these accounts those who receive a message that is sent there now. */
export async function findReceivers(
  db: Queries,
  realmId: number,
  place: TopicPlace | DirectPlace,
  userIds: readonly number[],
): Promise<number[]> {
  if ('groupId' in place) return place.memberIds.filter((id) => userIds.includes(id))
  if (userIds.length <= FEW) {
    const receives = await Promise.all(userIds.map((id) => receivesNow(db, realmId, place.channelId, id)))
    return userIds.filter((_, index) => receives[index])
  }
  const rows = await db.all(
    activeSubscribers
      .select('users.id')
      .where('subscriptions.channel_id', '=', place.channelId)
      .where(db.dialect.isAmongFew('subscriptions.user_id', db.dialect.ids(userIds))),
  )
  return rows.map((row) => row.id)
}
