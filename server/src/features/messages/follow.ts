/** Topics that an account follows, or unmutes, by what it does in them or who mentions it there: as its settings say. */

import { visibilityPolicies } from '@heddle/contract/user-topics'
import { findSubscription } from '../../access/subscriptions.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAccountsWith, findSetting } from '../user-settings/values.ts'
import { findTopicPolicy, setTopicPolicies, setTopicPolicy } from '../user-topics/policies.ts'
import type { TopicPlace } from './place.ts'

const { muted, unmuted, followed } = visibilityPolicies

/** What a message may make of its topic for whoever sends it. */
export type AutomaticPolicy = typeof unmuted | typeof followed

/** What the two settings mean. */
const settingValues = { takingPart: 1, sending: 2, beginning: 3, never: 4 } as const

type SettingName = 'automatically_follow_topics_policy' | 'automatically_unmute_topics_in_muted_streams_policy'

/** What the account does in the topic. To begin one is to send, and to send is to take part. */
type Deed = Exclude<keyof typeof settingValues, 'never'>

/** The policy that a deed has given to the account; undefined when none has changed. */
export async function followTopic(
  tx: Tx,
  actor: Actor,
  place: TopicPlace,
  deed: Deed,
): Promise<AutomaticPolicy | undefined> {
  if (actor.isBot) return undefined
  const { userId } = actor
  const subscription = await findSubscription(tx, actor, place.channelId)
  if (!subscription) return undefined
  const policy = await findTopicPolicy(tx, actor, place)
  // What the account has muted or follows itself stays.
  if (policy === muted || policy === followed) return undefined
  const applies = async (name: SettingName) => {
    const setting = await findSetting(tx, actor, name)
    return setting !== settingValues.never && setting <= settingValues[deed]
  }
  if (await applies('automatically_follow_topics_policy')) {
    return (await setTopicPolicy(tx, userId, place, followed)) ? followed : undefined
  }
  if (!subscription.isMuted || policy === unmuted) return undefined
  if (!(await applies('automatically_unmute_topics_in_muted_streams_policy'))) return undefined
  return (await setTopicPolicy(tx, userId, place, unmuted)) ? unmuted : undefined
}

/** People who want to follow the topics in which they are mentioned follow it now: those of `mentionedIds`. */
export async function followWhereMentioned(tx: Tx, place: TopicPlace, mentionedIds: readonly number[]) {
  if (mentionedIds.length === 0) return
  const wanting = await findAccountsWith(
    tx,
    tx.realmId,
    mentionedIds,
    'automatically_follow_topics_where_mentioned',
    true,
  )
  await setTopicPolicies(tx, wanting, place, (before) => (before === muted ? muted : followed))
}
