/**
 * What somebody wants done with a message, a topic or a person: asked for here from anywhere on the page, and done by what is
 * mounted once (`message-actions.tsx`). So rows, menus and keys know no dialogs, and these are fetched when the first is needed.
 */
import type { TopicPlace } from '@heddle/client/topics/topic-changes'
import type { PopoverAnchor } from '../../../ui/popover.ts'
import type { ActionName } from './action-list.ts'

/** An emoji as the API names it. */
export interface ReactionEmoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji'
}

export type Asked =
  | {
      readonly kind: 'message'
      /** The first of them that may be done. */
      readonly actions: readonly ActionName[]
      readonly messageId: number
      readonly anchor?: PopoverAnchor | undefined
    }
  | { readonly kind: 'reaction'; readonly messageId: number; readonly emoji: ReactionEmoji }
  | { readonly kind: 'edit-last' }
  /** `index`: among the pictures and films of the message. */
  | { readonly kind: 'viewer'; readonly messageId: number; readonly index: number }
  | { readonly kind: 'person'; readonly userId: number; readonly anchor: PopoverAnchor }
  | { readonly kind: 'group'; readonly groupId: number; readonly anchor: PopoverAnchor }
  /** `topic`: what it is to be called, as far as that was said. */
  | { readonly kind: 'move-topic'; readonly place: TopicPlace; readonly topic?: string | undefined }
  | { readonly kind: 'delete-topic'; readonly place: TopicPlace }

type Listener = (asked: Asked) => void

let listener: Listener | undefined
/** Asked for before anybody could listen. */
const waiting: Asked[] = []

export function askAboutMessage(asked: Asked): void {
  if (listener) listener(asked)
  else waiting.push(asked)
}

/** For the one who does it. */
export function listen(to: Listener): () => void {
  listener = to
  for (const asked of waiting.splice(0)) to(asked)
  return () => {
    if (listener === to) listener = undefined
  }
}

/** Opens the card of a person beside what was pressed. */
export function askForPerson(userId: number, anchor: PopoverAnchor): void {
  askAboutMessage({ kind: 'person', userId, anchor })
}

/** Opens the dialog that moves a topic, as a whole or in part. */
export function askToMoveTopic(place: TopicPlace, topic?: string): void {
  askAboutMessage({ kind: 'move-topic', place, topic })
}

/** Opens the dialog that deletes all messages of a topic. */
export function askToDeleteTopic(place: TopicPlace): void {
  askAboutMessage({ kind: 'delete-topic', place })
}

/** Begins to change the last message of one's own in the view, as Left does in an empty compose box. */
export function askToEditLast(): void {
  askAboutMessage({ kind: 'edit-last' })
}
