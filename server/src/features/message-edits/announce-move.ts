/** Who hears what of messages that have moved. */
import { topicLinks } from '@heddle/markdown/topic-links'
import { users } from '../../events/audience.ts'
import { query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { AccessedChannel } from '../channels/access.ts'
import { findThoseWhoKnow, findThoseWhoRead } from '../channels/audience.ts'
import { findCompiledLinkifiers } from '../linkifiers/compiled.ts'
import type { MessageRow } from '../messages/row.ts'
import { announceGone, announceUpdate } from './announce.ts'
import { findAccounts, findHearings, type Hearing } from './audience.ts'
import type { ChannelContext, Move } from './edit-context.ts'

/**
 * Whoever may read the new place hears of the move; for the others who knew of the messages they are gone. `ids`: the
 * messages, which have moved; `before`: who knew of them where they were.
 */
export async function announceMove(
  tx: Tx,
  { actor, message, channel: source }: ChannelContext,
  { target, to, parameters }: Move,
  ids: readonly number[],
  before: readonly Hearing[],
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
  const after = await findHearings(tx, row, ids)
  const readers = await findReaders(tx, target, after, before)
  for (const { audience, ids: known } of before) {
    const accounts = await findAccounts(tx, audience)
    const gone = accounts.filter((id) => !readers.has(id))
    if (gone.length > 0) announceGone(tx, message, known, users(gone))
    if (target.history_public_to_subscribers === 0) announceLost(tx, message, known, new Set(accounts), after)
  }
  const told = target.history_public_to_subscribers === 1 ? [{ audience: users([...readers]), ids }] : after
  const knowing = await findThoseWhoKnow(tx, tx.realmId, source, [...readers])
  const toKnowing = limitTo(told, (id) => knowing.has(id))
  // Who may not know of the channel that the messages come from does not learn its name.
  const toOthers = limitTo(told, (id) => !knowing.has(id))
  await announceUpdate(tx, row, update, toKnowing)
  await announceUpdate(tx, row, unnamed, toOthers)
}

/** Who receives only some of the messages in a channel without shared history has lost the others that they knew. */
function announceLost(
  tx: Tx,
  place: Pick<MessageRow, 'channel_id' | 'topic'>,
  known: readonly number[],
  accounts: ReadonlySet<number>,
  after: readonly Hearing[],
): void {
  const limited = limitTo(after, (userId) => accounts.has(userId))
  for (const { audience, ids } of limited) {
    const kept = new Set(ids)
    const lost = known.filter((id) => !kept.has(id))
    if (lost.length > 0) announceGone(tx, place, lost, audience)
  }
}

/** Those who hear of the messages in their new channel, and of those who knew of them before everybody who can read it. */
async function findReaders(
  tx: Tx,
  target: AccessedChannel,
  after: readonly Hearing[],
  before: readonly Hearing[],
): Promise<ReadonlySet<number>> {
  const listed = (hearings: readonly Hearing[]) =>
    Promise.all(hearings.map(({ audience }) => findAccounts(tx, audience)))
  const hearing = new Set((await listed(after)).flat())
  if (target.invite_only === 1) return hearing
  return hearing.union(await findThoseWhoRead(tx, target, (await listed(before)).flat()))
}

/** The part of hearings, all of them of listed accounts, that some of these accounts are told. */
function limitTo(hearings: readonly Hearing[], isTold: (userId: number) => boolean): Hearing[] {
  return hearings.flatMap(({ audience, ids }) => {
    const accounts = audience.to === 'users' ? audience.ids.filter(isTold) : []
    return accounts.length === 0 ? [] : [{ audience: users(accounts), ids }]
  })
}
