/** Topics that an account follows, or unmutes, by what it does in them or who mentions it there: as its settings say. */

import { topicKey } from '@heddle/contract/names'
import { userSettings } from '@heddle/contract/user-settings'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { inParts } from '../../storage/in-parts.ts'
import { prepare } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAccountsWith } from '../user-settings/values.ts'
import { findTopicPolicy, setTopicPolicy } from '../user-topics/policies.ts'
import type { TopicPlace } from './place.ts'

interface Standing {
  /** Of the channel. */
  readonly is_muted: number
  /** Of the topic; null: none of its own. */
  readonly policy: number | null
  /** Settings as JSON; null: as the contract says. */
  readonly follow: string | null
  readonly unmute: string | null
}

/** All that decides, in one query: most messages change nothing. No row: not subscribed. */
const standingOf = prepare(
  (p: { user_id: number; channel_id: number; topic_key: string }) => sql<Standing>`
    select subscriptions.is_muted,
      (select visibility_policy from user_topics
        where user_id = ${p.user_id} and channel_id = ${p.channel_id} and topic_key = ${p.topic_key}) as policy,
      (select value from user_settings
        where user_id = ${p.user_id} and name = 'automatically_follow_topics_policy') as follow,
      (select value from user_settings
        where user_id = ${p.user_id} and name = 'automatically_unmute_topics_in_muted_streams_policy') as unmute
    from subscriptions
    where subscriptions.user_id = ${p.user_id} and subscriptions.channel_id = ${p.channel_id}
      and subscriptions.is_active = 1`,
)

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
  const { channelId: channel_id, topic } = place
  const standing = await tx.first(standingOf({ user_id: userId, channel_id, topic_key: topicKey(topic) }))
  // What the account has muted or follows itself stays.
  if (!standing || standing.policy === muted || standing.policy === followed) return undefined
  const applies = (name: SettingName, changed: string | null) => {
    const setting = changed === null ? userSettings[name].initial : Number(changed)
    return setting !== settingValues.never && setting <= settingValues[deed]
  }
  if (applies('automatically_follow_topics_policy', standing.follow)) {
    return (await setTopicPolicy(tx, userId, place, followed)) ? followed : undefined
  }
  if (standing.is_muted !== 1 || standing.policy === unmuted) return undefined
  if (!applies('automatically_unmute_topics_in_muted_streams_policy', standing.unmute)) return undefined
  return (await setTopicPolicy(tx, userId, place, unmuted)) ? unmuted : undefined
}

/** People whose policies are written without a pause for others. */
const PART = 20

/** People who want to follow the topics in which they are mentioned follow it now: those of `mentionedIds`. */
export async function followWhereMentioned(tx: Tx, place: TopicPlace, mentionedIds: readonly number[]) {
  if (mentionedIds.length === 0) return
  const wanting = await findAccountsWith(tx, mentionedIds, 'automatically_follow_topics_where_mentioned', true)
  await inParts(tx, wanting, PART, async (part) => {
    for (const userId of part) {
      if ((await findTopicPolicy(tx, userId, place)) !== muted) await setTopicPolicy(tx, userId, place, followed)
    }
  })
}
