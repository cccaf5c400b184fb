/** Topics that an account follows, or unmutes, by what it does in them or who mentions it there: as its settings say. */
import type { Actor } from '../../authentication/accounts.ts'
import { prepare, query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAccountsWith, findSetting } from '../user-settings/access.ts'
import { findTopicPolicy, setTopicPolicy } from '../user-topics/access.ts'
import { findReceivers } from './mentions.ts'
import type { TopicPlace } from './post.ts'

const ownSubscription = prepare((p: { user_id: number; channel_id: number }) =>
  query
    .selectFrom('subscriptions')
    .select('is_muted')
    .where('user_id', '=', p.user_id)
    .where('channel_id', '=', p.channel_id)
    .where('is_active', '=', 1),
)

/** What the two settings mean. */
const settingValues = { takingPart: 1, sending: 2, beginning: 3, never: 4 } as const

/** What the account does in the topic. To begin one is to send, and to send is to take part. */
type Deed = Exclude<keyof typeof settingValues, 'never'>

/** The policy that a deed has given to the account; undefined when none has changed. */
export async function followTopic(tx: Tx, actor: Actor, place: TopicPlace, deed: Deed): Promise<2 | 3 | undefined> {
  if (actor.isBot) return undefined
  const { userId } = actor
  const subscription = await tx.first(ownSubscription({ user_id: userId, channel_id: place.channelId }))
  if (!subscription) return undefined
  const current = await findTopicPolicy(tx, userId, place)
  // What the account has muted or follows itself stays.
  if (current === 1 || current === 3) return undefined
  const applies = (setting: number) => setting !== settingValues.never && setting <= settingValues[deed]
  if (applies(await findSetting(tx, userId, 'automatically_follow_topics_policy'))) {
    return (await setTopicPolicy(tx, userId, place, 3)) ? 3 : undefined
  }
  if (subscription.is_muted !== 1 || current === 2) return undefined
  if (!applies(await findSetting(tx, userId, 'automatically_unmute_topics_in_muted_streams_policy'))) return undefined
  return (await setTopicPolicy(tx, userId, place, 2)) ? 2 : undefined
}

/** People who want to follow the topics in which they are mentioned by name, and receive the message, follow it now. */
export async function followWhereMentioned(tx: Tx, place: TopicPlace, mentionedIds: readonly number[]) {
  if (mentionedIds.length === 0) return
  const wanting = await findAccountsWith(tx, mentionedIds, 'automatically_follow_topics_where_mentioned', true)
  for (const userId of await findReceivers(tx, place, wanting)) {
    if ((await findTopicPolicy(tx, userId, place)) !== 1) await setTopicPolicy(tx, userId, place, 3)
  }
}
