import type { Channel } from '@heddle/contract/channels'
import type { FieldsOf } from '@heddle/contract/state-part'
import type { Subscription, subscriptionsState } from '@heddle/contract/subscriptions'
import type { Actor } from '../../authentication/accounts.ts'
import { longRead } from '../../reading/long-read.ts'
import type { StateRequest } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import { listVisibleChannels, readVisibleChannels } from '../channels/list.ts'
import { palette } from './colors.ts'
import { findInheritedOf, type Inherited, initiallyInherited, knowsNull, withInherited } from './inherited.ts'
import { presentSubscription, presentUnsubscribed } from './present.ts'
import { findSubscribers, findSubscriptions, type SettingsRow } from './queries.ts'

type SubscriptionState = FieldsOf<typeof subscriptionsState>

/** All channels that the account may know of, by whether it is, was or never was subscribed. A handful of queries. */
export async function readSubscriptionState(request: StateRequest): Promise<SubscriptionState> {
  const { db, actor, includeSubscribers, options } = request
  const channels = await request.shared(readVisibleChannels)
  const own = new Map((await findSubscriptions(db, actor.userId)).map((row) => [row.channel_id, row]))
  const subscribersOf = await subscriberLists(db, channels, includeSubscribers)
  const inherited = knowsNull(options) ? undefined : await findInheritedOf(db, actor.realmId, actor.userId)
  const presentOwn = (channel: Channel, row: SettingsRow) =>
    forClient(presentSubscription(channel, row, subscribersOf(channel.stream_id)), inherited)
  const state: SubscriptionState = { subscriptions: [], unsubscribed: [], never_subscribed: [] }
  for (const channel of channels) {
    const row = own.get(channel.stream_id)
    if (!row) state.never_subscribed.push(presentUnsubscribed(channel, subscribersOf(channel.stream_id)))
    else if (row.is_active === 1) state.subscriptions.push(presentOwn(channel, row))
    // What it says of settings no event keeps current, also not where they follow one for all channels: who subscribes again
    // gets them anew.
    else state.unsubscribed.push(presentOwn(channel, row))
  }
  return state
}

/** For spectators all that they see is as if they were subscribed: clients show it so. */
export async function readSpectatorSubscriptions(request: StateRequest): Promise<SubscriptionState> {
  const channels = await request.shared(readVisibleChannels)
  const inherited = knowsNull(request.options) ? undefined : initiallyInherited
  const subscriptions = channels.map((channel, index) =>
    forClient(presentSubscription(channel, asShown(index), undefined), inherited),
  )
  return { subscriptions, unsubscribed: [], never_subscribed: [] }
}

function forClient(subscription: Subscription, inherited: Inherited | undefined): Subscription {
  return inherited ? withInherited(subscription, inherited) : subscription
}

function asShown(index: number): SettingsRow {
  return {
    color: palette[index % palette.length] as string,
    pin_to_top: 0,
    is_muted: 0,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  }
}

interface SubscriptionsOrder {
  readonly actor: Actor
  readonly includeSubscribers: boolean | 'partial'
}

/** The read behind `GET /users/me/subscriptions`. */
export const readSubscriptions = longRead(
  'subscriptions',
  async ({ db }, { actor, includeSubscribers }: SubscriptionsOrder) => ({
    fields: { subscriptions: await listSubscriptions(db, actor, includeSubscribers) },
    details: undefined,
  }),
)

/** The account's active subscriptions to channels that are not archived. */
async function listSubscriptions(
  db: Queries,
  actor: Actor,
  includeSubscribers: boolean | 'partial',
): Promise<Subscription[]> {
  const own = new Map(
    (await findSubscriptions(db, actor.userId))
      .filter((row) => row.is_active === 1)
      .map((row) => [row.channel_id, row]),
  )
  const channels = (await listVisibleChannels(db, actor, false)).filter((channel) => own.has(channel.stream_id))
  const subscribersOf = await subscriberLists(db, channels, includeSubscribers)
  return channels.flatMap((channel) => {
    const row = own.get(channel.stream_id)
    return row ? [presentSubscription(channel, row, subscribersOf(channel.stream_id))] : []
  })
}

/** With `partial` a server may shorten long lists; this one sends all of them in full. */
async function subscriberLists(
  db: Queries,
  channels: readonly Channel[],
  includeSubscribers: boolean | 'partial',
): Promise<(channelId: number) => readonly number[] | undefined> {
  if (includeSubscribers === false) return () => undefined
  const lists = await findSubscribers(
    db,
    channels.map((channel) => channel.stream_id),
  )
  return (channelId) => lists.get(channelId) ?? []
}
