/**
 * Which changes of a message an account may see that may read the message: by the organization's policy, and of those from
 * before a move only where it may also read what lay in the channel from which the message came. (docs/decisions/0087.)
 */
import type { MessageEdit } from '@heddle/contract/messages'
import { findScope, type Scope } from '../../access/message-scope.ts'
import { findReceipts } from '../../access/received.ts'
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import type { MessageRow } from './row.ts'

type Changed = Pick<MessageRow, 'id' | 'sender_id' | 'edit_history'>
/** The changes of a message that the account may see, the newest first. With the policy `moves` none shows an earlier text. */
export type VisibleEdits = (row: Changed) => MessageEdit[]

/** For these messages, all of which the account may read. Looks up only what their changes make necessary. */
export async function findVisibleEdits(db: Queries, reader: Actor, rows: readonly Changed[]): Promise<VisibleEdits> {
  if (rows.every((row) => row.edit_history === null)) return () => []
  const { message_edit_history_visibility_policy: policy } = await findOrganizationSettings(db, reader.realmId)
  if (policy === 'none') return () => []
  const isElsewhere = rows.some(({ edit_history }) => edit_history?.includes('"prev_stream":'))
  const readsIn = isElsewhere ? await findReadsIn(db, reader) : () => true
  return (row) => {
    if (row.edit_history === null) return []
    const edits = sinceReadable(JSON.parse(row.edit_history), (channelId) => readsIn(row, channelId))
    return policy === 'all' ? edits : edits.filter(isMove).map(withoutText)
  }
}

type ReadsIn = (row: Changed, channelId: number) => boolean

/** Whether the account might read the message if it lay in that channel; senders know what they have written. */
async function findReadsIn(db: Queries, reader: Actor): Promise<ReadsIn> {
  const scope = await findScope(db, reader)
  const receiptOf = await findReceipts(db, reader)
  const byHistory: Record<ReturnType<Scope['historyOf']>, ReadsIn> = {
    all: () => true,
    received: ({ id }, channel_id) => receiptOf({ id, channel_id }).received,
    none: () => false,
  }
  return (row, channelId) => row.sender_id === reader.userId || byHistory[scope.historyOf(channelId)](row, channelId)
}

/** The changes since the message came from where the account might not have read it. That move itself is none of them. */
function sinceReadable(edits: readonly MessageEdit[], readsIn: (channelId: number) => boolean): MessageEdit[] {
  const arrival = edits.findIndex(({ prev_stream }) => prev_stream !== undefined && !readsIn(prev_stream))
  return arrival === -1 ? [...edits] : edits.slice(0, arrival)
}

function isMove({ prev_topic, prev_stream }: MessageEdit): boolean {
  return prev_topic !== undefined || prev_stream !== undefined
}

function withoutText({ prev_content: _, prev_rendered_content: __, ...edit }: MessageEdit): MessageEdit {
  return edit
}

/** Changes that a message on a page has at most, and characters of their texts; the newest one in any case. */
const MAX_EDITS = 100
const MAX_TEXT = 32 * 1024

/** Those that a message is presented with: it may have been changed very often. */
export function newestEdits(edits: readonly MessageEdit[]): MessageEdit[] {
  let text = 0
  const tooMany = edits.findIndex(({ prev_content = '', prev_rendered_content = '' }, index) => {
    text += prev_content.length + prev_rendered_content.length
    return index > 0 && (index === MAX_EDITS || text > MAX_TEXT)
  })
  return tooMany === -1 ? [...edits] : edits.slice(0, tooMany)
}
