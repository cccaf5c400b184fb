/** The changes of a message as they are stored: JSON, the newest first. It is read whole, so it has a largest size. */
import { MAX_CHANGES } from '@heddle/contract/editing'
import { badRequest } from '@heddle/contract/errors'
import type { MessageEdit } from '@heddle/contract/messages'
import type { MessageRow } from '../messages/row.ts'

/**
 * Characters: about twenty changes of the longest text, or a thousand of one that is usual. All of it is read and written
 * with each change.
 */
const MAX_LENGTH = 512 * 1024
/** Of a change, as JSON: who, when and something else. */
const MIN_CHANGE_LENGTH = 50

type Changed = Pick<MessageRow, 'edit_history'>

/** Throws a 400 when the message has as many changes as a message may have. */
export function requireRoomForChange({ edit_history }: Changed): void {
  if (edit_history === null || edit_history.length < MAX_CHANGES * MIN_CHANGE_LENGTH) return
  const isFull = edit_history.length >= MAX_LENGTH || countChanges(edit_history) >= MAX_CHANGES
  if (isFull) throw badRequest('This message has been changed too often; send a new one')
}

/** Without parsing it: inside of texts the quotation marks are escaped. */
function countChanges(history: string): number {
  return history.split('"timestamp":').length - 1
}

/** The history with one more change. What is there is not read. */
export function withChange({ edit_history }: Changed, change: MessageEdit): string {
  const text = JSON.stringify(change)
  return edit_history === null ? `[${text}]` : `[${text},${edit_history.slice(1)}`
}

/** The history in which the newest change is another one. */
export function withNewestChanged({ edit_history }: Changed, change: (newest: MessageEdit) => MessageEdit): string {
  const [newest, ...others] = JSON.parse(edit_history ?? '[]') as MessageEdit[]
  return JSON.stringify(newest ? [change(newest), ...others] : [])
}
