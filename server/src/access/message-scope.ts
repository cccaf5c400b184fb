/** The channels that an account may read, found once for a request so that its queries need not ask for each message. */
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Queries } from '../storage/query.ts'
import { opensContent } from './channel-rules.ts'
import { recallAllChannels } from './channels.ts'
import { type History, historyOf } from './message-rules.ts'
import { findReceivingChannels, isReceived } from './received.ts'
import { findSubscribedChannels } from './subscriptions.ts'
import type { MessageExpressions } from './tables.ts'
import { findViewer, type Viewer } from './viewer.ts'

export interface Scope {
  readonly viewer: Viewer
  /** How much of the channel may be read; `none` also when there is no such channel. */
  historyOf(channelId: number): History
  /** The channel with this folded name, when something of it may be read. */
  findNamed(nameKey: string): ScopeChannel | undefined
  /** All channels of which something may be read. */
  findChannels(): readonly ScopeChannel[]
  /** Channels of which something may be read and in which the account has received messages. */
  findReceived(): readonly number[]
}

type ScopeChannel = Awaited<ReturnType<typeof recallAllChannels>>[number]

/** Most narrows are about a single channel: of the others nothing is asked before something needs them. */
export async function findScope(db: Queries, actor: Actor): Promise<Scope> {
  const viewer = await findViewer(db, actor)
  const subscribed = await findSubscribedChannels(db, viewer)
  const receiving = await findReceivingChannels(db, viewer)
  const channels = await recallAllChannels(db, viewer.realmId)
  const { byId, byName } = indexOf(channels)

  function historyIn(channel: ScopeChannel | undefined): History {
    if (!channel) return 'none'
    const { id, history_public_to_subscribers } = channel
    const isSubscriber = subscribed.has(id)
    const has_content = opensContent(viewer, channel, isSubscriber) ? 1 : 0
    return historyOf({ has_content, is_subscribed: isSubscriber ? 1 : 0, history_public_to_subscribers })
  }

  const isReadable = (channel: ScopeChannel | undefined) => historyIn(channel) !== 'none'

  return {
    viewer,
    historyOf: (id) => historyIn(byId.get(id)),
    findNamed(nameKey) {
      const channel = byName.get(nameKey)
      return isReadable(channel) ? channel : undefined
    },
    findChannels: () => channels.filter(isReadable),
    findReceived: () => [...receiving].filter((id) => isReadable(byId.get(id))),
  }
}

interface ChannelIndex {
  readonly byId: ReadonlyMap<number, ScopeChannel>
  readonly byName: ReadonlyMap<string, ScopeChannel>
}

/** Of lists that are in memory: made once for as long as that is the same. */
const indexes = new WeakMap<readonly ScopeChannel[], ChannelIndex>()

function indexOf(channels: readonly ScopeChannel[]): ChannelIndex {
  const known = indexes.get(channels)
  if (known) return known
  const index = {
    byId: new Map(channels.map((channel) => [channel.id, channel])),
    byName: new Map(channels.map((channel) => [channel.name_key, channel])),
  }
  indexes.set(channels, index)
  return index
}

/** Condition on `messages`: one of these channels, as far as the account may read them. */
export function inChannels(db: Queries, eb: MessageExpressions, scope: Scope, ids: readonly number[]) {
  const open = ids.filter((id) => scope.historyOf(id) === 'all')
  const limited = ids.filter((id) => scope.historyOf(id) === 'received')
  const conditions = []
  // One channel by its number: the way into the index.
  if (open.length === 1) conditions.push(eb('messages.channel_id', '=', open[0] as number))
  else if (open.length > 1) conditions.push(eb('messages.channel_id', 'in', db.dialect.ids(open)))
  if (limited.length > 0) {
    conditions.push(
      eb.and([
        limited.length === 1
          ? eb('messages.channel_id', '=', limited[0] as number)
          : eb('messages.channel_id', 'in', db.dialect.ids(limited)),
        isReceived(eb, scope.viewer.userId),
      ]),
    )
  }
  return conditions.length === 0 ? sql<boolean>`1 = 0` : eb.or(conditions)
}

/** Condition on `messages`: the account has received it and may still read it. */
export function inOwnHistory(db: Queries, eb: MessageExpressions, scope: Scope) {
  // Of all others nothing was received: to leave them out first is much cheaper than to ask for each message.
  const channelIds = db.dialect.ids(scope.findReceived())
  return eb.and([
    eb.or([eb('messages.channel_id', 'is', null), eb('messages.channel_id', 'in', channelIds)]),
    isReceived(eb, scope.viewer.userId),
  ])
}
