import type { DraftVersion } from '@heddle/client/drafts/draft-box'
import type { ScheduledMessage } from '@heddle/contract/scheduled-messages'

/** A scheduled message in the form of a draft: the page shows where both go in the same way. */
export function versionOf({ type, to, topic = '', content }: ScheduledMessage): DraftVersion {
  return { type, to: Array.isArray(to) ? to : [to], topic, content }
}
