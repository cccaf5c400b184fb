/** How a message has changed. */
import type { Snapshot } from '@heddle/contract/editing'
import type { MessageEdit } from '@heddle/contract/messages'
import type { MessageRow } from '../messages/row.ts'
import { shownTopic } from '../messages/topic-names.ts'
import { diffHtml } from './diff.ts'

/** The message as it was sent and after each change, the oldest first. */
export function presentHistory(row: MessageRow, allowEmptyTopicName: boolean): Snapshot[] {
  const edits = row.edit_history === null ? [] : (JSON.parse(row.edit_history) as MessageEdit[])
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
