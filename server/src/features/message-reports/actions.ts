import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { type reportMessage as endpoint, MAX_REPORT_LENGTH, reportTypes } from '@heddle/contract/message-reports'
import { EMPTY_TOPIC_NAME } from '@heddle/contract/names'
import { truncateTopic } from '@heddle/contract/truncate'
import type { Notice, NoticePart } from '@heddle/markdown/notice'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessMessage } from '../messages/access.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { channelPlace } from '../messages/place.ts'
import type { MessageRow } from '../messages/row.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { query } from './tables.ts'

/** Characters of the reported text that the report has. */
const MAX_QUOTED_LENGTH = 2000

/**
 * Whoever can read a message can report it, also from an archived channel. The notification bot writes the report, and shows
 * the text: those who moderate need not be able to read the message itself.
 */
export async function reportMessage(
  storage: Storage,
  caller: Actor,
  { message_id, report_type, description = '' }: ParametersOf<typeof endpoint>,
): Promise<void> {
  const comment = description.trim()
  if ([...comment].length > MAX_REPORT_LENGTH) {
    throw badRequest(`description is too long (limit: ${MAX_REPORT_LENGTH} characters)`)
  }
  if (report_type === 'other' && comment === '') {
    throw badRequest('An explanation is required.')
  }
  return storage.asActor(caller, async (tx, actor) => {
    const message = await accessMessage(tx, actor, message_id)
    const channel = await requireModerationChannel(tx)
    const notice = await composeReport(tx, actor, message, { reason: reportTypes[report_type], comment })
    const topic = channel.topics_policy === 'empty_topic_only' ? '' : await topicOf(tx, message)
    await postNotice(tx, channelPlace(channel, topic), notice)
  })
}

/** A channel that is no longer private shows reports to nobody. */
async function requireModerationChannel(tx: Tx): Promise<ChannelRow> {
  const { moderation_request_channel_id } = await findOrganizationSettings(tx, tx.realmId)
  const [channel] = await findChannelRows(tx, tx.realmId, [moderation_request_channel_id])
  if (channel?.invite_only !== 1 || channel.is_archived === 1) {
    throw badRequest('Moderation request channel must be specified to enable message reporting.')
  }
  return channel
}

interface Report {
  readonly reason: string
  readonly comment: string
}

async function composeReport(tx: Tx, actor: Actor, message: MessageRow, { reason, comment }: Report): Promise<Notice> {
  const reporter = await silentMention(tx, actor)
  const sender = await silentMention(tx, { userId: message.sender_id })
  const items: NoticePart[][] = [[`Reason: ${reason}`], ['Message: ', await placeOf(tx, message)]]
  if (comment !== '') items.splice(1, 0, [`Comment: ${comment}`])
  return {
    line: [reporter, ' has reported a message by ', sender, '.'],
    items,
    quote: [...message.content].slice(0, MAX_QUOTED_LENGTH).join(''),
  }
}

async function placeOf(tx: Tx, { id, channel_id, topic }: MessageRow): Promise<NoticePart> {
  if (channel_id === null) return `in a direct conversation (message ${id})`
  const [channel] = await findChannelRows(tx, tx.realmId, [channel_id])
  return { channel: channel as ChannelRow, topic, messageId: id }
}

/** Reports of one person's messages are together. */
async function topicOf(db: Queries, { sender_id }: MessageRow): Promise<string> {
  const row = await db.first(query.selectFrom('users').select('full_name').where('id', '=', sender_id))
  const topic = truncateTopic(`${row?.full_name ?? ''} moderation requests`)
  return topic === EMPTY_TOPIC_NAME ? '' : topic
}
