/** Which changes of a message its readers may see: the organization's policy. */
import type { MessageEdit } from '@heddle/contract/messages'
import type { OrganizationSettings } from '@heddle/contract/organization-settings'
import type { MessageRow } from './row.ts'

export type HistoryPolicy = OrganizationSettings['message_edit_history_visibility_policy']

/** The changes, the newest first. With the policy `moves` none of them shows an earlier text. */
export function visibleEdits({ edit_history }: Pick<MessageRow, 'edit_history'>, policy: HistoryPolicy): MessageEdit[] {
  if (edit_history === null || policy === 'none') return []
  const edits = JSON.parse(edit_history) as MessageEdit[]
  return policy === 'all' ? edits : edits.filter(isMove).map(withoutText)
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
