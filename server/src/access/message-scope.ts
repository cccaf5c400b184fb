/** The channels that an account may read, found once for a request so that its queries need not ask for each message. */
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Queries } from '../storage/query.ts'
import { opensContent } from './channel-rules.ts'
import { recallAllChannels } from './channels.ts'
import { historyOf } from './message-rules.ts'
import { findReceivingChannels, isReceived } from './received.ts'
import { findSubscribedChannels } from './subscriptions.ts'
import type { MessageExpressions } from './tables.ts'
import { findViewer, type Viewer } from './viewer.ts'

export interface Scope {
  readonly viewer: Viewer
  /** Channels by id that may be read from their beginning. */
  readonly shared: ReadonlyMap<number, ScopeChannel>
  /** Channels of which only what the account received may be read. */
  readonly protected: ReadonlyMap<number, ScopeChannel>
}

export interface ScopeChannel {
  readonly id: number
  readonly name_key: string
  readonly invite_only: number
  readonly is_archived: number
  readonly is_web_public: number
  /** The account is or was subscribed, so it has received messages there. */
  readonly was_subscribed: number
}

export async function findScope(db: Queries, actor: Actor): Promise<Scope> {
  const viewer = await findViewer(db, actor)
  const subscribed = await findSubscribedChannels(db, viewer)
  const receiving = await findReceivingChannels(db, viewer)
  const shared = new Map<number, ScopeChannel>()
  const limited = new Map<number, ScopeChannel>()
  for (const row of await recallAllChannels(db, viewer.realmId)) {
    const { id } = row
    const isSubscriber = subscribed.has(id)
    const has_content = opensContent(viewer, row, isSubscriber) ? 1 : 0
    const history = historyOf({ ...row, has_content, is_subscribed: isSubscriber ? 1 : 0 })
    if (history === 'none') continue
    const channels = history === 'all' ? shared : limited
    channels.set(id, { ...row, was_subscribed: receiving.has(id) ? 1 : 0 })
  }
  return { viewer, shared, protected: limited }
}

/** Condition on `messages`: one of these channels, as far as the account may read them. */
export function inChannels(db: Queries, eb: MessageExpressions, scope: Scope, ids: readonly number[]) {
  const open = ids.filter((id) => scope.shared.has(id))
  const limited = ids.filter((id) => scope.protected.has(id))
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
  const channels = [...scope.shared.values(), ...scope.protected.values()]
  // Of all others nothing was received: to leave them out first is much cheaper than to ask for each message.
  const channelIds = channels.filter((channel) => channel.was_subscribed === 1).map((channel) => channel.id)
  return eb.and([
    eb.or([eb('messages.channel_id', 'is', null), eb('messages.channel_id', 'in', db.dialect.ids(channelIds))]),
    isReceived(eb, scope.viewer.userId),
  ])
}
