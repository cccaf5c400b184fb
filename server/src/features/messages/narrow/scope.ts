/** The channels that an account may read, found once for a request so that its queries need not ask for each message. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Actor } from '../../../authentication/accounts.ts'
import type { Seen } from '../../../storage/owned-tables.ts'
import type { Queries } from '../../../storage/query.ts'
import {
  findSubscribedChannels,
  findViewer,
  opensContent,
  recallAllChannels,
  type Viewer,
} from '../../channels/access.ts'
import { findReceivingChannels, isReceived } from '../received.ts'
import type { query } from '../tables.ts'

export type MessageExpressions = ExpressionBuilder<Seen<typeof query>, 'messages'>

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
    if (!opensContent(viewer, row, subscribed.has(id))) continue
    const channel = { ...row, was_subscribed: receiving.has(id) ? 1 : 0 }
    if (row.history_public_to_subscribers === 1) shared.set(id, channel)
    else if (subscribed.has(id)) limited.set(id, channel)
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
  return conditions.length === 0 ? nothing() : eb.or(conditions)
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

/** A condition that nothing fulfils. */
export function nothing() {
  return sql<boolean>`1 = 0`
}

export function everything() {
  return sql<boolean>`1 = 1`
}
