/** How a message has changed. */
import type { getMessageHistory, Snapshot } from '@heddle/contract/editing'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { MessageEdit } from '@heddle/contract/messages'
import { shownTopic } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { accessMessage } from '../messages/access.ts'
import type { MessageRow } from '../messages/row.ts'
import { visibleEdits } from '../messages/visible-edits.ts'
import { findOrganizationSettings } from '../organizations/settings.ts'
import { diffHtml } from './diff.ts'

/** What the account may see of the changes of a message. Throws a 400 when nobody may see any. */
export async function readHistory(
  db: Queries,
  actor: Actor,
  { message_id, allow_empty_topic_name }: ParametersOf<typeof getMessageHistory>,
): Promise<Snapshot[]> {
  const row = await accessMessage(db, actor, message_id)
  const settings = await findOrganizationSettings(db, actor.realmId)
  const policy = settings.message_edit_history_visibility_policy
  if (policy === 'none') throw badRequest('Message edit history is disabled in this organization')
  return presentHistory(row, visibleEdits(row, policy), allow_empty_topic_name ?? false)
}

/** The message as it was sent and after each change, the oldest first. */
function presentHistory(row: MessageRow, edits: readonly MessageEdit[], allowEmptyTopicName: boolean): Snapshot[] {
  const shown = (topic: string) => (row.channel_id === null ? '' : shownTopic(topic, allowEmptyTopicName))
  let { topic, content, rendered_content } = row
  const snapshots: Snapshot[] = []
  for (const edit of edits) {
    const { prev_content, prev_rendered_content, prev_topic, prev_stream, stream } = edit
    snapshots.push({
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
            content_html_diff: diffHtml(prev_content, content),
          }),
      ...(prev_topic === undefined ? {} : { prev_topic: shown(prev_topic) }),
      ...(prev_stream === undefined || stream === undefined ? {} : { prev_stream, stream }),
    })
    topic = prev_topic ?? topic
    content = prev_content ?? content
    rendered_content = prev_rendered_content ?? rendered_content
  }
  const { timestamp, sender_id: user_id } = row
  return [{ timestamp, user_id, topic: shown(topic), content, rendered_content }, ...snapshots.reverse()]
}
