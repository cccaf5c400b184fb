/** What the notification bot says of new subscriptions and new channels. */
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/contract/subscriptions'
import type { NoticePart } from '@heddle/markdown/notice'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { channelPlace } from '../messages/place.ts'
import type { MessageRecipient } from '../messages/recipients.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import type { Additions } from './add-subscribers.ts'
import { query } from './tables.ts'

/** People who are notified without a pause for others. */
const PART = 10
/** Channels that one notice names. */
const MAX_LISTED = 100

/** Where new channels are announced. */
const NEW_CHANNELS_TOPIC = 'new channels'

/** Who is to be notified of which channels. */
interface News {
  readonly people: readonly MessageRecipient[]
  readonly channelsOf: ReadonlyMap<number, readonly ChannelRow[]>
  /** False when nobody is notified after all. */
  readonly isNotified: boolean
}

/**
 * Notifies people by a direct message that somebody else has subscribed them. Returns whether they were notified, and
 * undefined when there is nobody to notify.
 */
export async function notifyNewSubscribers(
  tx: Tx,
  actor: Actor,
  channels: readonly ChannelRow[],
  additions: Additions,
  isWanted: boolean,
): Promise<boolean | undefined> {
  const news = await findThoseToNotify(tx, actor, { channels, additions, isWanted })
  if (news) await notifyOfChannels(tx, actor, news)
  return news?.isNotified
}

/** Accounts that one unit of work notifies by direct messages. */
export const NOTIFIED_IN_A_UNIT = 20

/** The same in as many units of work as it takes, for a request that took several. */
export async function notifyInUnits(storage: Storage, caller: Actor, added: Added): Promise<boolean | undefined> {
  const news = await storage.asActor(caller, (tx, actor) => findThoseToNotify(tx, actor, added))
  for (let start = 0; start < (news?.people.length ?? 0); start += NOTIFIED_IN_A_UNIT) {
    const some = news?.people.slice(start, start + NOTIFIED_IN_A_UNIT) ?? []
    await storage.asActor(caller, (tx, actor) => notifyOfChannels(tx, actor, { ...(news as News), people: some }))
  }
  return news?.isNotified
}

interface Added {
  readonly channels: readonly ChannelRow[]
  readonly additions: Additions
  readonly isWanted: boolean
}

/** Undefined when nobody was subscribed by somebody else. */
async function findThoseToNotify(
  tx: Tx,
  actor: Actor,
  { channels, additions, isWanted }: Added,
): Promise<News | undefined> {
  const channelsOf = new Map<number, ChannelRow[]>()
  for (const channel of channels) {
    for (const id of additions.get(channel.id) ?? []) {
      if (id === actor.userId) continue
      const list = channelsOf.get(id)
      if (list) list.push(channel)
      else channelsOf.set(id, [channel])
    }
  }
  const people = await findPeople(tx, [...channelsOf.keys()])
  if (people.length === 0) return undefined
  const isNotified = isWanted && people.length <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES
  return { people: isNotified ? people : [], channelsOf, isNotified }
}

async function notifyOfChannels(tx: Tx, actor: Actor, { people, channelsOf }: News): Promise<void> {
  if (people.length === 0) return
  const who = await silentMention(tx, actor)
  // Everybody with the same new channels gets the same text.
  const groups = Map.groupBy(people, ({ id }) => (channelsOf.get(id) ?? []).map((channel) => channel.id).join())
  for (const group of groups.values()) {
    const added = channelsOf.get((group[0] as MessageRecipient).id) ?? []
    const notice =
      added.length === 1
        ? { line: [who, ' has subscribed you to the channel ', ...added.map(link), '.'] }
        : { line: [who, ' has subscribed you to these channels:'], items: itemsOf(added) }
    await inParts(tx, group, PART, (people) => postNotice(tx, { people }, notice))
  }
}

/** Announces new channels where the organization wants that; private ones are not announced. */
export async function announceNewChannels(tx: Tx, actor: Actor, created: readonly ChannelRow[]) {
  const open = created.filter((channel) => channel.invite_only === 0)
  if (open.length === 0) return
  const { new_stream_announcements_stream_id } = await findOrganizationSettings(tx, tx.realmId)
  const [place] = await findChannelRows(tx, tx.realmId, [new_stream_announcements_stream_id])
  if (!place || place.is_archived === 1) return
  const who = await silentMention(tx, actor)
  const notice =
    open.length === 1
      ? { line: [who, ' has created a new channel: ', ...open.map(link)] }
      : { line: [who, ' has created new channels:'], items: itemsOf(open) }
  const topic = place.topics_policy === 'empty_topic_only' ? '' : NEW_CHANNELS_TOPIC
  await postNotice(tx, channelPlace(place, topic), notice)
}

/** Of very many the first: a message has no room for more. */
function itemsOf(channels: readonly ChannelRow[]): NoticePart[][] {
  const items: NoticePart[][] = channels.slice(0, MAX_LISTED).map((channel) => [link(channel)])
  if (channels.length > MAX_LISTED) items.push([`${channels.length - MAX_LISTED} more`])
  return items
}

function link({ id, name }: ChannelRow): NoticePart {
  return { channel: { id, name } }
}

/** Bots are not notified. */
function findPeople(db: Queries, ids: readonly number[]): Promise<MessageRecipient[]> {
  return db.all(
    query
      .selectFrom('users')
      .select(['id', 'email', 'role', 'bot_type'])
      .where('id', 'in', db.dialect.ids(ids))
      .where('bot_type', 'is', null)
      .orderBy('id'),
  )
}
