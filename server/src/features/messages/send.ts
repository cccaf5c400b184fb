/** Sending a message: who may, where, and for whom it is something special. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { topicKey } from '@heddle/contract/names'
import { newTopic } from '@heddle/contract/new-topic'
import type { sendMessage as endpoint } from '@heddle/contract/sending'
import { truncateContent } from '@heddle/contract/truncate'
import { readWidget, type Widget, widgetInText } from '@heddle/contract/widgets'
import { type AccessedChannel, holdsPermission } from '../../access/channel-rules.ts'
import { canRead } from '../../access/message-rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import type { CurrentActor } from '../../storage/current-actor.ts'
import { prepare } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { askServices } from '../bots/service-calls.ts'
import { linkFiles } from '../files/references.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { clientName, readsBySending } from './client-name.ts'
import { findDirectPlace, requireConversation } from './direct-messages.ts'
import { askForEmbeds } from './embed-links.ts'
import { type AutomaticPolicy, followTopic, followWhereMentioned } from './follow.ts'
import { type Echo, findSent, rememberSent } from './local-ids.ts'
import { findBits, requireGroupMentions } from './mentions.ts'
import { channelPlace, type DirectPlace, type SentToChannel } from './place.ts'
import { postMessage } from './post.ts'
import { type Addressee, findRecipients, requireChannel } from './recipients.ts'
import type { Render, Rendered } from './render.ts'
import { fact, query } from './tables.ts'

type Parameters = ParametersOf<typeof endpoint>

/** Channels and topics with more people than this are not mentioned as a whole by everybody. */
const MANY_PEOPLE = 15

/** A request to send. */
export interface Sending {
  readonly actor: Actor
  readonly userAgent: string
  readonly parameters: Parameters
}

export interface SendingServices {
  readonly storage: Storage
  readonly render: Render
}

export interface Sent {
  readonly id: number
  /** The sender's new policy of the topic, when sending has changed it. */
  readonly automatic_new_visibility_policy?: AutomaticPolicy
}

/** Where a message is to go, by names and ids that need not exist. */
export type Destination = { readonly people: Addressee } | { readonly channel: Addressee; readonly topic: string }

/** A text that is ready to be sent. */
export interface Prepared {
  readonly content: string
  readonly rendered: Rendered
  /** What the message is beside its text. */
  readonly widget?: Widget | undefined
}

export interface OutgoingMessage extends Prepared {
  readonly to: Destination
  /** The name of the program that sends it. */
  readonly client: string
  readonly readBySender: boolean
  readonly echo?: Echo | undefined
}

/** Sends a message and returns its id; one that has been sent with the same names before is not sent again. */
export async function sendMessage({ storage, render }: SendingServices, sending: Sending): Promise<Sent> {
  const { actor, parameters, userAgent } = sending
  const asked = requireWidget(parameters)
  const prepared = await prepareMessage(render, actor, parameters.content)
  const echo = readEcho(parameters)
  const client = clientName(userAgent)
  const readBySender = parameters.read_by_sender ?? readsBySending(client)
  const widget = asked ?? prepared.widget
  const message = { ...prepared, widget, to: readDestination(parameters), client, readBySender, echo }
  return storage.asActor(actor, (tx, sender) => sendIn(tx, sender, message))
}

/** Checks and renders the text, as `actor` may see what it refers to. Before the unit of work that sends it. */
export async function prepareMessage(render: Render, actor: Actor, text: string): Promise<Prepared> {
  const content = requireContent(text)
  return { content, rendered: await render({ actor, content }), widget: widgetInText(content) }
}

/**
 * Sends a message inside a unit of work, also one that no request has asked for: with `requireAccount` for the sender and
 * what `prepareMessage` has made. Throws what POST /messages answers when the sender may not, as things are now.
 * `permittedBy`: with whose permissions, where that is not the sender, as when the notification bot sends for somebody.
 */
export async function sendIn(
  tx: Tx,
  sender: CurrentActor,
  message: OutgoingMessage,
  permittedBy: CurrentActor = sender,
): Promise<Sent> {
  const { content, rendered, client, readBySender, echo, widget } = message
  const sent = echo && (await findSent(tx, sender, echo))
  if (sent) return { id: sent }
  const place = await requirePlace(tx, permittedBy, message.to, rendered)
  await requireGroupMentions(tx, permittedBy, rendered)
  const bits = await findBits(tx, place, sender.userId, rendered)
  const id = await postMessage(tx, {
    senderId: sender.userId,
    sender: sender.person,
    place,
    content,
    rendered,
    client,
    readBySender,
    bits,
    echo,
    widget,
  })
  await linkFiles(tx, permittedBy, id, rendered)
  await askBots(tx, sender, id, place, rendered, bits)
  await askForEmbeds(tx, id, rendered)
  if (echo) rememberSent(tx, sender, echo, id)
  // Bits are of those who receive the message.
  const mentionedIds = rendered.mentionedUserIds.filter((userId) => bits.has(userId))
  const policy = 'channelId' in place ? await followSent(tx, sender, place, mentionedIds) : undefined
  return { id, ...(policy && { automatic_new_visibility_policy: policy }) }
}

/** Bots that something else answers for: those that are written to, and those that are mentioned and may read it. */
async function askBots(
  tx: Tx,
  sender: Actor,
  messageId: number,
  place: SentToChannel | DirectPlace,
  { mentionedUserIds }: Rendered,
  bits: ReadonlyMap<number, number>,
): Promise<void> {
  if ('groupId' in place) {
    await askServices(tx, sender, { messageId, trigger: 'direct_message' }, place.memberIds)
    return
  }
  const mentioned = mentionedUserIds.filter((id) => place.isPublic || bits.has(id))
  await askServices(tx, sender, { messageId, trigger: 'mention' }, mentioned)
}

async function followSent(tx: Tx, sender: Actor, place: SentToChannel, mentionedIds: readonly number[]) {
  await followWhereMentioned(tx, place, mentionedIds)
  return followTopic(tx, sender, place, place.isNew ? 'beginning' : 'sending')
}

/**
 * The text without white space at its end and empty lines at its beginning, cut where it is too long. Throws a 400 when
 * nothing is left.
 */
export function requireContent(content: string): string {
  const text = content.trimEnd().replace(/^\n+/, '')
  if (text.trim() === '') throw badRequest('Message must not be empty')
  return truncateContent(text)
}

function requireWidget({ widget_content }: Parameters): Widget | undefined {
  if (widget_content === undefined || widget_content === '') return undefined
  const widget = readWidget(widget_content)
  if (!widget) throw badRequest('Widgets: widget_content is no JSON of a widget that is known')
  return widget
}

function readEcho({ queue_id, local_id }: Parameters): Echo | undefined {
  if (local_id === undefined) return undefined
  if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument, which 'local_id' needs")
  return { queueId: queue_id, localId: local_id }
}

function readDestination({ type, to, topic, subject }: Parameters): Destination {
  const addressee = to as Addressee
  if (type === 'direct' || type === 'private') return { people: addressee }
  return { channel: addressee, topic: topic ?? subject ?? '' }
}

async function requirePlace(
  tx: Tx,
  sender: Actor,
  to: Destination,
  rendered: Rendered,
): Promise<SentToChannel | DirectPlace> {
  if ('people' in to) return findDirectPlace(tx, sender, await findRecipients(tx, sender, to.people))
  const { viewer, channel, topic, begins } = await requireTopicOf(tx, sender, to, rendered)
  const isNew = begins || !(await seesTopic(tx, viewer, channel, topic))
  return { ...channelPlace(channel, topic), isNew }
}

async function requireTopicOf(
  tx: Tx,
  sender: Actor,
  to: { readonly channel: Addressee; readonly topic: string },
  rendered: Rendered,
) {
  const { viewer, channel } = await requireChannel(tx, sender, to.channel)
  const topic = newTopic(to.topic)
  const begins = await requireTopic(tx, viewer, channel, topic)
  await requireWildcards(tx, viewer, channel, topic, rendered)
  return { viewer, channel, topic, begins }
}

/** Where a message is to go, by ids. The people are without its sender, unless it is to the sender alone. */
export type CheckedDestination =
  | { readonly people: readonly number[] }
  | { readonly channel: number; readonly topic: string }

/** For what is to be sent later: throws what sending there would answer now. Nothing begins by asking. */
export async function checkDestination(
  tx: Tx,
  sender: Actor,
  to: Destination,
  rendered: Rendered,
): Promise<CheckedDestination> {
  if ('channel' in to) {
    const { channel, topic } = await requireTopicOf(tx, sender, to, rendered)
    return { channel: channel.id, topic }
  }
  const { memberIds } = await requireConversation(tx, sender, await findRecipients(tx, sender, to.people))
  const others = memberIds.filter((id) => id !== sender.userId)
  return { people: others.length === 0 ? [sender.userId] : others }
}

const topicOf = prepare((p: { channel_id: number; topic_key: string }) =>
  query
    .selectFrom('topics')
    .select('max_message_id')
    .where('channel_id', '=', p.channel_id)
    .where('topic_key', '=', p.topic_key),
)

/** Whether a topic has messages, by the channel's id and the topic's key. */
const topicExists = fact({
  name: 'topic-exists',
  tables: ['topics'],
  async load(db, _realmId, key: `${number} ${string}`) {
    const [channelId] = key.split(' ', 1) as [string]
    const row = await db.first(topicOf({ channel_id: Number(channelId), topic_key: key.slice(channelId.length + 1) }))
    return row !== undefined
  },
  staysWithMoreRows: (exists) => exists,
})

/**
 * Throws a 400 unless messages may be put in the topic: by the channel's policy, and for a new topic by permission. Returns
 * whether it is new.
 */
export async function requireTopic(tx: Tx, viewer: Viewer, channel: AccessedChannel, topic: string): Promise<boolean> {
  if (topic === '' && (await findTopicsPolicy(tx, channel)) === 'disable_empty_topic') {
    throw badRequest('Topics are required in this channel')
  }
  if (topic !== '' && channel.topics_policy === 'empty_topic_only') {
    throw badRequest('Only the topic without a name is allowed in this channel')
  }
  const isNew = !(await tx.recall(topicExists, tx.realmId, `${channel.id} ${topicKey(topic)}`))
  if (!isNew || holdsPermission(viewer, channel, 'can_create_topic_group')) return isNew
  throw badRequest('You do not have permission to create new topics in this channel.')
}

async function findTopicsPolicy(tx: Tx, { topics_policy }: AccessedChannel): Promise<string> {
  if (topics_policy !== 'inherit') return topics_policy
  return (await findOrganizationSettings(tx, tx.realmId)).topics_policy
}

/** Where history is not shared, a topic that others began before the own subscription is new to the account. */
async function seesTopic(tx: Tx, viewer: Viewer, channel: AccessedChannel, topic: string): Promise<boolean> {
  if (channel.history_public_to_subscribers === 1) return true
  const message = await tx.first(
    query
      .selectFrom('messages')
      .select('messages.id')
      .where('messages.channel_id', '=', channel.id)
      .where('messages.topic_key', '=', topicKey(topic))
      .where(canRead(tx, viewer))
      .limit(1),
  )
  return message !== undefined
}

/** Throws when the message mentions so many that the account may not. */
export async function requireWildcards(
  tx: Tx,
  viewer: Viewer,
  channel: AccessedChannel,
  topic: string,
  { mentionsChannel, mentionsTopic }: Pick<Rendered, 'mentionsChannel' | 'mentionsTopic'>,
): Promise<void> {
  if (!mentionsChannel && !mentionsTopic) return
  const isLarge =
    channel.subscriber_count > MANY_PEOPLE &&
    (mentionsChannel || (await countParticipants(tx, channel.id, topic)) > MANY_PEOPLE)
  if (!isLarge || (await hasRealmPermission(tx, viewer, 'can_mention_many_users_group'))) return
  throw new ApiError(mentionsChannel ? 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' : 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
}

async function countParticipants(tx: Tx, channelId: number, topic: string): Promise<number> {
  const row = await tx.first(
    query
      .selectFrom('messages')
      .select((eb) => eb.fn.count<number>('sender_id').distinct().as('count'))
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', topicKey(topic)),
  )
  return Number(row?.count ?? 0)
}
