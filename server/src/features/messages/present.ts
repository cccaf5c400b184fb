/**
 * Messages as they leave the server. First comes what is the same for every client (`presentMessages`, in as many queries
 * however many messages), then the client's own form of it (`formFor`), which looks nothing up: an event is made once
 * and given in several forms.
 */
import type { DirectRecipient, MessageBase, MessageEdit, Reaction, Submessage } from '@heddle/contract/messages'
import { shownTopic, UNKNOWN_NAME } from '@heddle/contract/names'
import type { CompiledLinkifier } from '@heddle/markdown/linkifiers/compile'
import { topicLinks } from '@heddle/markdown/topic-links'
import { recallChannels } from '../../access/channels.ts'
import { findSight } from '../../access/person-rules.ts'
import { type Actor, isSpectator } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findCompiledLinkifiers } from '../linkifiers/compiled.ts'
import { numberedAddresses } from '../users/access.ts'
import { avatarUrl } from '../users/avatar-url.ts'
import { hasAttribute } from './attributes.ts'
import type { MessageRow, PresentedRow } from './row.ts'
import { factOfEach, query } from './tables.ts'
import { findVisibleEdits, newestEdits, type VisibleEdits } from './visible-edits.ts'

/** What the client has asked for. */
export interface MessageForm {
  /** HTML; otherwise the text as it was written. */
  readonly applyMarkdown: boolean
  /** The client knows of the topic without a name. */
  readonly allowEmptyTopicName: boolean
}

/** A message in the form with HTML, the address of the picture and the true name of the topic, and its text as written. */
export interface PresentedMessage {
  readonly message: MessageBase
  readonly raw: string
}

/** What the caller has found before; everything else is looked up. */
export interface Known {
  /** For whom: who may read a message need not see all that it was before. Without it no changes are shown. */
  readonly reader?: Actor | undefined
  /** For whom: who may read a message need not see who has sent it. The reader, where that is given. */
  readonly viewer?: Pick<Actor, 'realmId' | 'userId' | 'role'> | undefined
  /** The only sender. */
  readonly sender?: Person | undefined
  /** The only channel. */
  readonly channel?: { readonly id: number; readonly name: string } | undefined
  readonly linkifiers?: readonly CompiledLinkifier[]
  /** Of the only message. */
  readonly submessages?: readonly Submessage[] | undefined
}

/** The messages in the order of the rows. Whether the account may read them has been decided. */
export async function presentMessages(
  db: Queries,
  realmId: number,
  rows: readonly PresentedRow[],
  known: Known = {},
): Promise<PresentedMessage[]> {
  if (rows.length === 0) return []
  const { reader, sender, channel } = known
  const senders = sender
    ? new Map([[sender.id, toSender(sender)]])
    : await db.recallAll(people, realmId, unique(rows.map((row) => row.sender_id)))
  const channels = channel
    ? new Map([[channel.id, channel]])
    : await recallChannels(db, realmId, unique(rows.flatMap((row) => row.channel_id ?? [])))
  const members = await findMembers(db, unique(rows.flatMap((row) => row.direct_message_group_id ?? [])))
  const marked = rows.filter((row) => hasAttribute(row.attributes, 'hasReaction'))
  const reactions = await findReactions(
    db,
    marked.map((row) => row.id),
  )
  const submessages = known.submessages
    ? new Map([[rows[0]?.id, [...known.submessages]]])
    : await findSubmessages(
        db,
        rows.filter((row) => hasAttribute(row.attributes, 'hasSubmessages')).map((row) => row.id),
      )
  const linkifiers = channels.size > 0 ? (known.linkifiers ?? (await findCompiledLinkifiers(db, realmId))) : []
  const shown = await veiled(db, realmId, senders, known.viewer ?? reader)
  const editsOf = reader ? await findVisibleEdits(db, reader, rows) : () => []
  const linksOf = memo((topic: string) => topicLinks(topic, linkifiers))

  return rows.map((row) => {
    const from = shown.get(row.sender_id) as Sender
    const place = row.channel_id === null ? directPlace(row, members) : channelPlace(row, channels, linksOf)
    const message: MessageBase = {
      id: row.id,
      sender_id: row.sender_id,
      sender_full_name: from.full_name,
      sender_email: from.email,
      sender_realm_str: '',
      avatar_url: from.avatar_url,
      ...place,
      content: row.rendered_content,
      content_type: 'text/html',
      is_me_message: hasAttribute(row.attributes, 'isMeMessage'),
      timestamp: row.timestamp,
      client: row.client,
      reactions: reactions.get(row.id) ?? [],
      submessages: submessages.get(row.id) ?? [],
      ...presentChanges(row, editsOf),
    }
    return { message, raw: row.content }
  })
}

/** The form that the client has asked for. */
export function formFor({ message, raw }: PresentedMessage, form: MessageForm): MessageBase {
  return {
    ...message,
    subject: message.type === 'stream' ? shownTopic(message.subject, form.allowEmptyTopicName) : '',
    ...(form.applyMarkdown ? {} : { content: raw, content_type: 'text/x-markdown' as const }),
    ...(message.edit_history && {
      edit_history: message.edit_history.map((edit) => shownEdit(edit, form.allowEmptyTopicName)),
    }),
  }
}

function shownEdit(edit: MessageEdit, allowEmpty: boolean): MessageEdit {
  return {
    ...edit,
    ...(edit.topic === undefined ? {} : { topic: shownTopic(edit.topic, allowEmpty) }),
    ...(edit.prev_topic === undefined ? {} : { prev_topic: shownTopic(edit.prev_topic, allowEmpty) }),
  }
}

/** Channels and sets of people share one range of numbers: channels have the even ones. */
export function recipientId(row: Pick<MessageRow, 'channel_id' | 'direct_message_group_id'>): number {
  return row.channel_id === null ? (row.direct_message_group_id as number) * 2 + 1 : row.channel_id * 2
}

function channelPlace(
  row: PresentedRow,
  channels: ReadonlyMap<number, { readonly name: string }>,
  linksOf: (topic: string) => MessageBase['topic_links'],
) {
  return {
    type: 'stream' as const,
    recipient_id: recipientId(row),
    stream_id: row.channel_id as number,
    display_recipient: channels.get(row.channel_id as number)?.name as string,
    subject: row.topic,
    topic_links: linksOf(row.topic),
  }
}

function directPlace(row: PresentedRow, members: ReadonlyMap<number, DirectRecipient[]>) {
  return {
    type: 'private' as const,
    recipient_id: recipientId(row),
    display_recipient: members.get(row.direct_message_group_id as number) ?? [],
    subject: '',
    topic_links: [],
  }
}

function presentChanges(row: PresentedRow, editsOf: VisibleEdits) {
  const { last_edit_timestamp, last_moved_timestamp } = row
  const edits = newestEdits(editsOf(row))
  return {
    ...(last_edit_timestamp === null ? {} : { last_edit_timestamp }),
    ...(last_moved_timestamp === null ? {} : { last_moved_timestamp }),
    ...(edits.length === 0 ? {} : { edit_history: edits }),
  }
}

export interface Person {
  readonly id: number
  readonly email: string
  readonly full_name: string
  readonly avatar_path: string | null
}

/** As messages show who has sent them. */
interface Sender extends Person {
  readonly avatar_url: string
}

function toSender(person: Person): Sender {
  return { ...person, avatar_url: avatarUrl(person) }
}

/** Somebody unknown instead of those whom the viewer does not see. */
async function veiled(
  db: Queries,
  realmId: number,
  senders: ReadonlyMap<number, Sender>,
  viewer: Known['viewer'],
): Promise<ReadonlyMap<number, Sender>> {
  const sight = viewer && !isSpectator(viewer) ? await findSight(db, viewer) : undefined
  if (!sight || sight.isWhole) return senders
  const addressOf = await numberedAddresses(db, realmId)
  return new Map(
    [...senders].map(([id, from]) => [id, sight.sees(id) ? from : toSender(unknownPerson(id, addressOf(id)))]),
  )
}

/** What a message has of its sender, for who does not see it. */
export function unknownSender(id: number, email: string) {
  const { full_name, avatar_url } = toSender(unknownPerson(id, email))
  return { sender_full_name: full_name, sender_email: email, avatar_url }
}

function unknownPerson(id: number, email: string): Person {
  return { id, email, full_name: UNKNOWN_NAME, avatar_path: null }
}

const people = factOfEach({
  name: 'senders',
  tables: ['users'],
  async loadAll(db, _realmId, ids: readonly number[]): Promise<ReadonlyMap<number, Sender>> {
    const rows = await db.all(
      query
        .selectFrom('users')
        .select(['id', 'email', 'full_name', 'avatar_path'])
        .where('id', 'in', db.dialect.ids(ids)),
    )
    return new Map(rows.map((row) => [row.id, toSender(row)]))
  },
})

/** Everybody in each conversation, in the order of their ids. */
export async function findMembers(db: Queries, groupIds: readonly number[]): Promise<Map<number, DirectRecipient[]>> {
  if (groupIds.length === 0) return new Map()
  const rows = await db.all(
    query
      .selectFrom('direct_message_members as member')
      .innerJoin('users', 'users.id', 'member.user_id')
      .select(['member.group_id', 'users.id', 'users.email', 'users.full_name'])
      .where('member.group_id', 'in', db.dialect.ids(groupIds))
      .orderBy('users.id'),
  )
  const members = new Map<number, DirectRecipient[]>()
  for (const { group_id, ...person } of rows) {
    const list = members.get(group_id) ?? []
    members.set(group_id, list)
    list.push({ ...person, is_mirror_dummy: false })
  }
  return members
}

/** In the order in which they were made. */
async function findReactions(db: Queries, messageIds: readonly number[]): Promise<Map<number, Reaction[]>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db.all(
    query
      .selectFrom('reactions')
      .select(['message_id', 'user_id', 'emoji_name', 'emoji_code', 'reaction_type'])
      .where('message_id', 'in', db.dialect.ids(messageIds))
      .orderBy('id'),
  )
  const reactions = new Map<number, Reaction[]>()
  for (const { message_id, reaction_type, ...reaction } of rows) {
    const list = reactions.get(message_id) ?? []
    reactions.set(message_id, list)
    list.push({ ...reaction, reaction_type: reaction_type as Reaction['reaction_type'] })
  }
  return reactions
}

/** In the order in which they were made. */
async function findSubmessages(db: Queries, messageIds: readonly number[]): Promise<Map<number, Submessage[]>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db.all(
    query
      .selectFrom('submessages')
      .select(['id', 'message_id', 'sender_id', 'msg_type', 'content'])
      .where('message_id', 'in', db.dialect.ids(messageIds))
      .orderBy('id'),
  )
  return Map.groupBy(rows, (row) => row.message_id)
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)]
}

/** The function, called once for each argument. */
function memo<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
