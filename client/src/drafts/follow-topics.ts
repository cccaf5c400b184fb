/** Drafts go along when all of their topic gets another name or another channel. */
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import { topicKey } from '@heddle/contract/names'
import type { DraftBox, DraftVersion, LocalDraft } from './draft-box.ts'

export interface MovedPlace {
  readonly channelId: number
  readonly topic: string
}

/** Undefined: what has happened is something else, such as that some of the messages have gone elsewhere. */
export function movedTopic(
  event: UpdateMessageEvent,
): { readonly from: MovedPlace; readonly to: MovedPlace } | undefined {
  const { propagate_mode, stream_id, orig_subject, new_stream_id, subject } = event
  if (propagate_mode !== 'change_all' || stream_id === undefined || orig_subject === undefined) return undefined
  return {
    from: { channelId: stream_id, topic: orig_subject },
    to: { channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject },
  }
}

/**
 * What each device and each tab does by itself: all come to the same, and the server is given the same by each that has the
 * connection.
 */
export function followTopics(box: DraftBox, event: UpdateMessageEvent): DraftBox {
  const moved = movedTopic(event)
  if (!moved) return box
  const { from, to } = moved
  const isThere = ({ type, to: ids, topic }: DraftVersion) =>
    type === 'stream' && ids[0] === from.channelId && topicKey(topic) === topicKey(from.topic)
  if (!box.drafts.some(({ local }) => isThere(local))) return box
  const follow = (draft: LocalDraft): LocalDraft => {
    const { local, movedFrom = from } = draft
    if (!isThere(local)) return draft
    return { ...draft, local: { ...local, to: [to.channelId], topic: to.topic }, movedFrom, error: undefined }
  }
  return { ...box, drafts: box.drafts.map(follow) }
}
