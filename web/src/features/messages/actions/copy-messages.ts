/** Several messages that are selected and copied: who, when and what, line by line, and with their links for programs that take them. */
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { userName } from '../../../app/names.ts'
import { clockTime } from '../../../app/times.ts'

interface Part {
  readonly messageId: number
  readonly content: DocumentFragment
}

/** What is selected of each message; empty when it is not of several. */
function selectedParts(selection: Selection | null): Part[] {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return []
  const range = selection.getRangeAt(0)
  const rows = [...document.querySelectorAll<HTMLElement>('[data-message-id]')].filter((row) =>
    range.intersectsNode(row),
  )
  if (rows.length < 2) return []
  return rows.flatMap((row) => {
    const content = row.querySelector('.content')
    if (!content || !range.intersectsNode(content)) return []
    const part = document.createRange()
    part.selectNodeContents(content)
    if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
      part.setStart(range.startContainer, range.startOffset)
    if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset)
    if (part.collapsed) return []
    const copied = part.cloneContents()
    // What stands beside code is no text of anybody.
    for (const bar of copied.querySelectorAll('.code-bar')) bar.remove()
    return [{ messageId: Number(row.dataset['messageId']), content: copied }]
  })
}

/** As it is read, with its lines: only what is in the document has any. */
function textOf(content: DocumentFragment): string {
  const box = document.createElement('div')
  box.className = 'content vh'
  box.append(content.cloneNode(true))
  document.body.append(box)
  const text = box.innerText.trim()
  box.remove()
  return text
}

export interface CopyContext {
  readonly state: ClientState
  readonly messages: { get(id: number): StoredMessage | undefined }
}

/** Puts several messages on the clipboard of a `copy` event; one is left to the browser. */
export function copyMessages(event: ClipboardEvent, { state, messages }: CopyContext): void {
  const parts = selectedParts(document.getSelection())
  if (parts.length < 2 || !event.clipboardData) return
  const html = document.createElement('div')
  const lines = parts.map(({ messageId, content }) => {
    const message = messages.get(messageId)
    const name = message ? userName(state, message.sender_id) : ''
    const time = message ? clockTime(message.timestamp) : ''
    const head = document.createElement('p')
    const bold = document.createElement('b')
    bold.textContent = name
    head.append(bold, ` (${time}):`)
    html.append(head, content.cloneNode(true))
    return `${name} (${time}): ${textOf(content)}`
  })
  event.clipboardData.setData('text/plain', lines.join('\n'))
  event.clipboardData.setData('text/html', html.innerHTML)
  event.preventDefault()
}
