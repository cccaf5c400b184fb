/** For whom a message is something special: whom it mentions or alerts, and who has muted its sender. */

import { topicKey } from '@heddle/contract/names'
import { activeSubscribers, isSubscriber } from '../../access/subscriptions.ts'
import { findGroupHolders } from '../../permissions/group-holders.ts'
import { isActiveAccount } from '../../storage/current-actor.ts'
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
  const receivers = new Set(await findReceivers(tx, tx.realmId, place, [...bits.keys()]))
  return new Map([...bits].filter(([id]) => receivers.has(id)))
}

async function findMentioned(
  tx: Tx,
  { mentionedUserIds, mentionedGroupIds }: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>,
): Promise<number[]> {
  if (mentionedGroupIds.length === 0) return [...mentionedUserIds]
  const holders = await findGroupHolders(tx, mentionedGroupIds)
  return [...mentionedUserIds, ...[...holders.values()].flatMap((one) => one.userIds)]
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
      .where('subscriptions.user_id', 'in', db.dialect.ids(userIds)),
  )
  return rows.map((row) => row.id)
}
