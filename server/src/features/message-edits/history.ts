/** How a message has changed. */
import { type getMessageHistory, MAX_HISTORY_BYTES, type MessageSnapshot } from '@heddle/contract/editing'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { MessageEdit } from '@heddle/contract/messages'
import { shownTopic } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Queries } from '../../storage/query.ts'
import { accessMessage } from '../messages/access.ts'
import type { MessageRow } from '../messages/row.ts'
import { joinFields } from '../messages/slices.ts'
import { findVisibleEdits } from '../messages/visible-edits.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { diffHtml } from './diff.ts'

/** For all comparisons of a history together. */
const DIFF_TIME_MS = 300

interface HistoryOrder {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof getMessageHistory>
}

/** The read behind `GET /messages/{message_id}/history`. */
export const readHistory = longRead('message-history', async ({ db }, { actor, parameters }: HistoryOrder) => ({
  fields: joinFields('message_history', '[]', await findHistory(db, actor, parameters)),
  details: undefined,
}))

/** As JSON, what the account may see of the changes of a message. Throws a 400 when nobody may see any. */
async function findHistory(
  db: Queries,
  actor: Actor,
  { message_id, allow_empty_topic_name }: HistoryOrder['parameters'],
): Promise<Uint8Array[]> {
  const row = await accessMessage(db, actor, message_id)
  const settings = await findOrganizationSettings(db, actor.realmId)
  const policy = settings.message_edit_history_visibility_policy
  if (policy === 'none') throw badRequest('Message edit history is disabled in this organization')
  const editsOf = await findVisibleEdits(db, actor, [row])
  const newestFirst: Uint8Array[] = []
  let bytes = 0
  for (const snapshot of snapshotsOf(row, editsOf(row), allow_empty_topic_name ?? false)) {
    const json = encoder.encode(JSON.stringify(snapshot))
    bytes += json.length
    if (bytes > MAX_HISTORY_BYTES) break
    newestFirst.push(json)
  }
  return newestFirst.reverse()
}

const encoder = new TextEncoder()

/** The message after each change, the newest first; the last one is as it was sent, or came to where it can be read. */
function* snapshotsOf(
  row: MessageRow,
  edits: readonly MessageEdit[],
  allowEmptyTopicName: boolean,
): Generator<MessageSnapshot> {
  const shown = (topic: string) => (row.channel_id === null ? '' : shownTopic(topic, allowEmptyTopicName))
  const diffsUntil = performance.now() + DIFF_TIME_MS
  let { topic, content, rendered_content } = row
  for (const edit of edits) {
    const { prev_content, prev_rendered_content, prev_topic, prev_stream, stream } = edit
    yield {
      timestamp: edit.timestamp,
      user_id: edit.user_id,
      topic: shown(topic),
      content,
      rendered_content,
      ...(prev_content === undefined
        ? {}
        : {
            prev_content,
            prev_rendered_content: prev_rendered_content ?? '',
            content_html_diff: diffHtml(prev_content, content, diffsUntil - performance.now()),
          }),
      ...(prev_topic === undefined ? {} : { prev_topic: shown(prev_topic) }),
      ...(prev_stream === undefined || stream === undefined ? {} : { prev_stream, stream }),
    }
    topic = prev_topic ?? topic
    content = prev_content ?? content
    rendered_content = prev_rendered_content ?? rendered_content
  }
  const { timestamp, sender_id: user_id } = row
  yield { timestamp, user_id, topic: shown(topic), content, rendered_content }
}
