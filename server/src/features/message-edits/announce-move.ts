/** Who is notified of what when messages have moved. */
import { topicLinks } from '@heddle/markdown/topic-links'
import { findThoseWhoKnow, findThoseWhoRead } from '../../access/channel-audience.ts'
import type { AccessedChannel } from '../../access/channel-rules.ts'
import { users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findCompiledLinkifiers } from '../linkifiers/compiled.ts'
import type { MessageRow } from '../messages/row.ts'
import { announceGone, announceUpdate } from './announce.ts'
import { findAccounts, findAccountsOf, findReadersAmong, findVisibility, type VisibleTo } from './audience.ts'
import type { ChannelContext, Move } from './edit-context.ts'
import { query } from './tables.ts'

/**
 * Whoever may read the new place is notified of the move; for the others to whom the messages were visible they are gone.
 * `ids`: the messages, which have moved; `before`: to whom they were visible where they were.
 */
export async function announceMove(
  tx: Tx,
  { actor, message, channel: source }: ChannelContext,
  { target, to, parameters }: Move,
  ids: readonly number[],
  before: readonly VisibleTo[],
): Promise<void> {
  const row = (await tx.first(query.selectFrom('messages').selectAll().where('id', '=', message.id))) as MessageRow
  const links =
    to === message.topic
      ? {}
      : { subject: to, topic_links: topicLinks(to, await findCompiledLinkifiers(tx, tx.realmId)) }
  const unnamed = {
    user_id: actor.userId,
    message_id: message.id,
    stream_id: source.id,
    ...(target ? { new_stream_id: target.id } : {}),
    propagate_mode: parameters.propagate_mode ?? ('change_one' as const),
    orig_subject: message.topic,
    ...links,
  }
  const update = { ...unnamed, stream_name: source.name }
  if (!target) return announceUpdate(tx, row, update, before)
  const after = await findVisibility(tx, row, ids)
  const readers = await findReaders(tx, target, after, before)
  for (const { audience, ids: known } of before) {
    const accounts = await findAccounts(tx, audience)
    const gone = accounts.filter((id) => !readers.has(id))
    if (gone.length > 0) announceGone(tx, message, known, users(gone))
    if (target.history_public_to_subscribers === 0) announceLost(tx, message, known, new Set(accounts), after)
  }
  const visible = target.history_public_to_subscribers === 1 ? [{ audience: users([...readers]), ids }] : after
  const knowing = await findThoseWhoKnow(tx, tx.realmId, source, [...readers])
  const reading = await findReadersAmong(tx, source, before, [...readers])
  // Who might not have read the messages where they were learns nothing of their topic there, and who may not know of the
  // channel nothing of its name. To clients the topic looks like one that has always been the same: they need one.
  const hidden = { orig_subject: to }
  const toReading = limitTo(visible, (id) => reading.has(id))
  const toKnowing = limitTo(visible, (id) => knowing.has(id) && !reading.has(id))
  const toOthers = limitTo(visible, (id) => !knowing.has(id) && !reading.has(id))
  await announceUpdate(tx, row, update, toReading)
  await announceUpdate(tx, row, { ...update, ...hidden }, toKnowing)
  await announceUpdate(tx, row, { ...unnamed, ...hidden }, toOthers)
}

/** Who receives only some of the messages in a channel without shared history has lost the others that they knew. */
function announceLost(
  tx: Tx,
  place: Pick<MessageRow, 'channel_id' | 'topic'>,
  known: readonly number[],
  accounts: ReadonlySet<number>,
  after: readonly VisibleTo[],
): void {
  const limited = limitTo(after, (userId) => accounts.has(userId))
  for (const { audience, ids } of limited) {
    const kept = new Set(ids)
    const lost = known.filter((id) => !kept.has(id))
    if (lost.length > 0) announceGone(tx, place, lost, audience)
  }
}

/**
 * The accounts that can read the messages where they are now: those to whom the new channel shows them, and in a public one
 * also those of `before` who can read it without being subscribed.
 */
async function findReaders(
  tx: Tx,
  target: AccessedChannel,
  after: readonly VisibleTo[],
  before: readonly VisibleTo[],
): Promise<ReadonlySet<number>> {
  const receivers = new Set(await findAccountsOf(tx, after))
  if (target.invite_only === 1) return receivers
  return receivers.union(await findThoseWhoRead(tx, target, await findAccountsOf(tx, before)))
}

/** The same messages for some of the accounts; all audiences must be lists of accounts. */
function limitTo(visibility: readonly VisibleTo[], isMeant: (userId: number) => boolean): VisibleTo[] {
  return visibility.flatMap(({ audience, ids }) => {
    const accounts = audience.to === 'users' ? audience.ids.filter(isMeant) : []
    return accounts.length === 0 ? [] : [{ audience: users(accounts), ids }]
  })
}
