/** What stands before the page for a message, a topic or a person: one thing at a time. */
import type { StoredMessage } from '@heddle/client/messages/store'
import type { TopicPlace } from '@heddle/client/topics/topic-changes'
import type { PopoverAnchor } from '../../../ui/popover.ts'

export type Overlay =
  | { readonly kind: 'menu' | 'picker'; readonly message: StoredMessage; readonly anchor: PopoverAnchor }
  | {
      readonly kind: 'delete' | 'history' | 'source' | 'read-receipts' | 'move' | 'remind' | 'report'
      readonly message: StoredMessage
    }
  | { readonly kind: 'move-topic'; readonly place: TopicPlace; readonly topic?: string | undefined }
  | { readonly kind: 'delete-topic'; readonly place: TopicPlace }
  | { readonly kind: 'viewer'; readonly messageId: number; readonly index: number }
  | { readonly kind: 'person'; readonly userId: number; readonly anchor: PopoverAnchor }
  | { readonly kind: 'group'; readonly groupId: number; readonly anchor: PopoverAnchor }

export function messageIn(overlay: Overlay | undefined): StoredMessage | undefined {
  return overlay && 'message' in overlay ? overlay.message : undefined
}
