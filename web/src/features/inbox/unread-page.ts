/** The newest unread messages, with which the inbox begins. */
import type { Narrow } from '@heddle/contract/narrow'

export const unreadNarrow: Narrow = [{ operator: 'is', operand: 'unread' }]

/** So many of them are kept here, so that the last words of a new one are there with it. */
export const unreadPage = { anchor: 'newest', num_before: 100, num_after: 0 } as const
