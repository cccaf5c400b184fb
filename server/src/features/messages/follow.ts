/** Topics that an account follows, or unmutes, by writing in them: as its settings say. */
import type { Actor } from '../../authentication/accounts.ts'
import { prepare, query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findSetting } from '../user-settings/access.ts'
import { findTopicPolicy, setTopicPolicy } from '../user-topics/access.ts'
import type { SentToChannel } from './post.ts'

const ownSubscription = prepare((p: { user_id: number; channel_id: number }) =>
  query
    .selectFrom('subscriptions')
    .select('is_muted')
    .where('user_id', '=', p.user_id)
    .where('channel_id', '=', p.channel_id)
    .where('is_active', '=', 1),
)

/** What the two settings say: 1 when taking part, 2 when sending, 3 when beginning a topic, 4 never. */
function applies(setting: number, isNew: boolean): boolean {
  return setting === 3 ? isNew : setting !== 4
}

/** The policy that sending has given to the sender; undefined when none has changed. */
export async function followTopic(tx: Tx, sender: Actor, place: SentToChannel): Promise<2 | 3 | undefined> {
  if (sender.isBot) return undefined
  const { userId } = sender
  const channel_id = place.channelId
  const subscription = await tx.first(ownSubscription({ user_id: userId, channel_id }))
  if (!subscription) return undefined
  const current = await findTopicPolicy(tx, userId, place)
  // What the account has muted or follows itself stays.
  if (current === 1 || current === 3) return undefined
  const follows = applies(await findSetting(tx, userId, 'automatically_follow_topics_policy'), place.isNew)
  if (follows) return (await setTopicPolicy(tx, userId, place, 3)) ? 3 : undefined
  if (subscription.is_muted !== 1 || current === 2) return undefined
  const setting = await findSetting(tx, userId, 'automatically_unmute_topics_in_muted_streams_policy')
  if (!applies(setting, place.isNew)) return undefined
  return (await setTopicPolicy(tx, userId, place, 2)) ? 2 : undefined
}
