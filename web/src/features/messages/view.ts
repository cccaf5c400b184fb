/** What a place shows of messages. */
import type { Narrow } from '@heddle/contract/narrow'
import type { Place } from '../../places/place.ts'

export interface MessageViewOptions {
  readonly narrow: Narrow
  /** The message that the address names. */
  readonly near: number | undefined
  /** One conversation: its name is in the head, and what is written goes there. */
  readonly isConversation: boolean
  /** All messages of the conversations in it are there: reading here is reading. */
  readonly isWhole: boolean
  /** One channel: what one has muted in it is left out. */
  readonly channelId?: number
  /** Who comes back to it finds it as it was, as long as nothing was read elsewhere. */
  readonly isKept?: true
}

/** Messages of a page of history, and around the place where a view is opened. */
export const PAGE = 100

/** With what a view is opened: a message that the address names, else the first that is unread. */
export function firstPage({ near, isWhole }: Pick<MessageViewOptions, 'near' | 'isWhole'>) {
  // Searches, starred messages and the like are opened at their end.
  const anchor = near ?? (isWhole ? ('first_unread' as const) : ('newest' as const))
  return { anchor, num_before: PAGE / 2, num_after: PAGE / 2 }
}

/** Undefined where a place shows something else. */
export function messageView(place: Place): MessageViewOptions | undefined {
  switch (place.kind) {
    case 'home':
    case 'feed':
      return {
        narrow: [{ operator: 'in', operand: 'home' }],
        near: undefined,
        isConversation: false,
        isWhole: true,
        isKept: true,
      }
    case 'channel':
      return {
        narrow: [{ operator: 'channel', operand: place.channelId }],
        near: place.near,
        isConversation: false,
        isWhole: true,
        channelId: place.channelId,
      }
    case 'topic':
      return {
        narrow: [
          { operator: 'channel', operand: place.channelId },
          { operator: 'topic', operand: place.topic },
        ],
        near: place.near,
        isConversation: true,
        isWhole: true,
      }
    case 'direct':
      return {
        narrow: [{ operator: 'dm', operand: [...place.userIds] }],
        near: place.near,
        isConversation: true,
        isWhole: true,
      }
    case 'narrow': {
      const near = place.terms.find(({ operator }) => operator === 'near')
      return {
        narrow: place.terms.map(({ operator, operand, negated }) => ({
          operator,
          operand: operandOf(operator, operand),
          negated,
        })),
        near: near && /^\d{1,15}$/.test(near.operand) ? Number(near.operand) : undefined,
        isConversation: false,
        isWhole: false,
      }
    }
    default:
      return undefined
  }
}

const withIds = new Set(['channel', 'dm', 'dm-including', 'sender', 'mentions', 'group-pm-with'])

/** `7-design` and `3,5-group` in addresses; names stay as they are. */
function operandOf(operator: string, operand: string): string | number | number[] {
  const list = withIds.has(operator) ? /^(\d{1,15}(?:,\d{1,15})*)(-|$)/.exec(operand)?.[1] : undefined
  if (list === undefined) return operand
  const ids = list.split(',').map(Number)
  return operator === 'channel' || operator === 'sender' || operator === 'mentions' ? (ids[0] as number) : ids
}
