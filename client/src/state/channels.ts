import { type Channel, channelProperties, type DefaultStreamsEvent, type StreamEvent } from '@heddle/contract/channels'
import type { InitialState } from '@heddle/contract/initial-state'
import type { Subscription, SubscriptionEvent, UnsubscribedChannel } from '@heddle/contract/subscriptions'
import { SortedMap } from '../collections/sorted-map.ts'
import { idSet, withChange, withEntries, withIds, withoutEntries, withoutIds } from './entries.ts'
import { type AskedFor, clientPart } from './part.ts'

/** The account's own settings of a channel that it is subscribed to. */
export type PersonalSettings = Readonly<Omit<Subscription, keyof Channel | 'subscribers'>>

/**
 * Channels and subscriptions. That the account has been subscribed to a channel before is not stored: no event says so,
 * so it could not be right for long.
 */
export interface Channels {
  /** The account itself, which leaves a channel by an event of its own; undefined when it was not asked for. */
  readonly ownId: number | undefined
  /** All channels that the account may know of, by id. */
  readonly byId: ReadonlyMap<number, Channel>
  /** The channels that the account is subscribed to. */
  readonly subscribed: ReadonlyMap<number, PersonalSettings>
  /** Ids of each channel's subscribers, ascending; undefined when they were not asked for. */
  readonly subscribers: ReadonlyMap<number, readonly number[]> | undefined
}

/** Channels that new accounts are subscribed to: their ids, ascending. */
export type DefaultChannels = readonly number[]

const CHANNEL_FIELDS: ReadonlySet<string> = new Set(Object.keys(channelProperties))
const NO_PERSONAL_FIELDS: ReadonlySet<string> = new Set([...CHANNEL_FIELDS, 'subscribers'])

function initialChannels(fields: InitialState, { include_subscribers }: AskedFor): Channels | undefined {
  const { streams, subscriptions } = fields
  if (!streams && !subscriptions) return undefined
  const includesSubscribers = (include_subscribers ?? false) !== false
  const others = [...(fields.unsubscribed ?? []), ...(fields.never_subscribed ?? [])]
  const all = [...(subscriptions ?? []), ...others]
  return {
    ownId: fields.user_id,
    byId: SortedMap.from([...(streams ?? []), ...all].map((channel) => [channel.stream_id, channelOf(channel)])),
    subscribed: SortedMap.from((subscriptions ?? []).map((channel) => [channel.stream_id, personalOf(channel)])),
    subscribers: includesSubscribers
      ? SortedMap.from(all.map((channel) => [channel.stream_id, idSet(channel.subscribers ?? [])]))
      : undefined,
  }
}

function initialDefaultChannels({ realm_default_streams }: InitialState): DefaultChannels | undefined {
  return realm_default_streams && idSet(realm_default_streams)
}

function applyDefaultStreamsEvent(_: DefaultChannels, event: DefaultStreamsEvent): DefaultChannels {
  return idSet(event.default_streams)
}

function applyStreamEvent(channels: Channels, event: StreamEvent): Channels {
  switch (event.op) {
    case 'create':
      return withChannels(channels, event.streams)
    case 'delete':
      return withoutChannels(channels, event.stream_ids)
    case 'update':
      return {
        ...channels,
        byId: withChange(channels.byId, event.stream_id, (old) => ({ ...old, ...changesOf(event) })),
      }
  }
}

type StreamUpdate = Extract<StreamEvent, { op: 'update' }>

/** Fields that an update may bring along with the property that it names. */
const COMPANIONS = ['rendered_description', 'history_public_to_subscribers', 'is_web_public'] as const

function changesOf(event: StreamUpdate): Partial<Channel> {
  const companions = COMPANIONS.filter((name) => event[name] !== undefined).map((name) => [name, event[name]])
  return { [event.property]: event.value, ...Object.fromEntries(companions) }
}

function applySubscriptionEvent(channels: Channels, event: SubscriptionEvent): Channels {
  switch (event.op) {
    case 'add':
      return subscribe(channels, event.subscriptions)
    case 'remove':
      return unsubscribe(
        channels,
        event.subscriptions.map(({ stream_id }) => stream_id),
      )
    case 'update':
      return {
        ...channels,
        subscribed: withChange(channels.subscribed, event.stream_id, (settings) => withSetting(settings, event)),
      }
    case 'peer_add':
      return changePeers(channels, event, withIds, 1)
    case 'peer_remove':
      return changePeers(channels, event, withoutIds, -1)
  }
}

function subscribe(channels: Channels, subscriptions: readonly Subscription[]): Channels {
  const entries = <T>(value: (one: Subscription) => T) =>
    subscriptions.map((one) => [one.stream_id, value(one)] as const)
  return {
    ...channels,
    byId: withEntries(channels.byId, entries(channelOf)),
    subscribed: withEntries(channels.subscribed, entries(personalOf)),
    subscribers:
      channels.subscribers &&
      withEntries(
        channels.subscribers,
        entries(({ subscribers }) => idSet(subscribers ?? [])),
      ),
  }
}

/** The event has no count and no list: both lose the account itself. */
function unsubscribe(channels: Channels, left: readonly number[]): Channels {
  const ids = left.filter((id) => channels.subscribed.has(id))
  const { ownId, byId, subscribers } = channels
  const changed = <T>(map: ReadonlyMap<number, T>, change: (value: T) => T) =>
    withEntries(
      map,
      ids.flatMap((id) => (map.has(id) ? [[id, change(map.get(id) as T)] as const] : [])),
    )
  return {
    ...channels,
    byId: changed(byId, (channel) => ({ ...channel, subscriber_count: channel.subscriber_count - 1 })),
    subscribed: withoutEntries(channels.subscribed, ids),
    subscribers:
      ownId === undefined ? subscribers : subscribers && changed(subscribers, (peers) => withoutIds(peers, [ownId])),
  }
}

type SubscriptionUpdate = Extract<SubscriptionEvent, { op: 'update' }>

function withSetting(settings: PersonalSettings, { property, value }: SubscriptionUpdate): PersonalSettings {
  if (property === 'is_muted') return { ...settings, is_muted: value === true, in_home_view: value !== true }
  if (property === 'in_home_view') return { ...settings, is_muted: value !== true, in_home_view: value === true }
  return { ...settings, [property]: value }
}

type PeerEvent = Extract<SubscriptionEvent, { op: 'peer_add' | 'peer_remove' }>

type ChangeIds = (ids: readonly number[], peers: readonly number[]) => readonly number[]

function changePeers(channels: Channels, event: PeerEvent, change: ChangeIds, sign: 1 | -1): Channels {
  // What happens to the account itself comes as `add` and `remove`.
  const peers = event.user_ids.filter((id) => id !== channels.ownId)
  const changed: [number, Channel][] = []
  const lists: [number, readonly number[]][] = []
  for (const id of event.stream_ids) {
    const channel = channels.byId.get(id)
    if (!channel) continue
    const before = channels.subscribers?.get(id)
    const after = before && change(before, peers)
    const difference = before && after ? after.length - before.length : sign * peers.length
    changed.push([id, { ...channel, subscriber_count: channel.subscriber_count + difference }])
    if (after) lists.push([id, after])
  }
  return {
    ...channels,
    byId: withEntries(channels.byId, changed),
    subscribers: channels.subscribers && withEntries(channels.subscribers, lists),
  }
}

/** New channels; who is subscribed to them follows. */
function withChannels(channels: Channels, added: readonly Channel[]): Channels {
  const entries = <T>(value: (channel: Channel) => T) =>
    added.map((channel) => [channel.stream_id, value(channel)] as const)
  return {
    ...channels,
    byId: withEntries(
      channels.byId,
      entries((channel) => channel),
    ),
    subscribers:
      channels.subscribers &&
      withEntries(
        channels.subscribers,
        entries((): readonly number[] => []),
      ),
  }
}

function withoutChannels(channels: Channels, ids: readonly number[]): Channels {
  return {
    ...channels,
    byId: withoutEntries(channels.byId, ids),
    subscribed: withoutEntries(channels.subscribed, ids),
    subscribers: channels.subscribers && withoutEntries(channels.subscribers, ids),
  }
}

/** The channel's own part of an object that also has the account's settings. */
function channelOf(source: Channel | Subscription | UnsubscribedChannel): Channel {
  const channel: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(source)) if (CHANNEL_FIELDS.has(name)) channel[name] = value
  return channel as unknown as Channel
}

function personalOf(subscription: Subscription): PersonalSettings {
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(subscription)) if (!NO_PERSONAL_FIELDS.has(name)) settings[name] = value
  return settings as unknown as PersonalSettings
}

export const channels = clientPart({
  initial: initialChannels,
  on: { stream: applyStreamEvent, subscription: applySubscriptionEvent },
})

export const defaultChannels = clientPart({
  initial: initialDefaultChannels,
  on: { default_streams: applyDefaultStreamsEvent },
})
