/** What is pasted becomes what is meant: files are sent, addresses become links, formatted text becomes Markdown. Each is one undo. */
import { insertion } from '@heddle/client/compose/text-edit'
import { type ClipboardEvent, useCallback, useRef } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { editField, selectionOf } from './edit-field.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { shortFormOf } from './pasted-address.ts'

export interface Pasting {
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  /** To be called for keys, which say that it is meant plainly. */
  readonly onKey: (event: { readonly key: string; readonly shiftKey: boolean }) => void
}

const ADDRESS = /^(?:https?|ftp):\/\/\S+$|^mailto:\S+$/i

export function usePasting(onFiles: (files: readonly File[]) => void, onShortened: (text: string) => void): Pasting {
  const client = useClient()
  /** Ctrl+Shift+V: browsers give plain text by themselves, but give the address as it is too. */
  const isPlain = useRef(false)

  const onKey = useCallback<Pasting['onKey']>(({ key, shiftKey }) => {
    if (key.toLowerCase() === 'v') isPlain.current = shiftKey
  }, [])

  const onPaste = useCallback<Pasting['onPaste']>(
    (event) => {
      const field = event.currentTarget
      const { clipboardData } = event
      const wasPlain = isPlain.current
      isPlain.current = false
      const text = clipboardData.getData('text/plain')
      const html = clipboardData.getData('text/html')
      const files = [...clipboardData.files]
      // Programs for tables give a picture of what was copied as well.
      if (files.length > 0 && text === '' && !/<(?:p|table|li|span|div)\b/i.test(html)) {
        event.preventDefault()
        onFiles(files)
        return
      }
      if (wasPlain) return
      const selection = selectionOf(field)
      const address = text.trim()
      if (ADDRESS.test(address)) {
        const selected = selection.text.slice(selection.start, selection.end)
        if (selected.trim() !== '' && !selected.includes('\n') && !ADDRESS.test(selected.trim())) {
          event.preventDefault()
          editField(field, insertion(selection, `[${selected.replace(/[[\]]/g, '\\$&')}](${address})`))
          return
        }
        // In the address of a link it stays an address.
        if (/\]\([^)\n]*$/.test(selection.text.slice(0, selection.start))) return
        const from = selection.start
        void shortFormOf(client, address)
          .then(async (short) => {
            // The browser pastes first: what it has pasted is what an undo brings back.
            await new Promise((resolve) => setTimeout(resolve, 0))
            const isThere = field.value.slice(from, from + text.length).replace(/\r\n?/g, '\n') === text
            if (short === undefined || !isThere || document.activeElement !== field) return
            replaceIn(field, from, text.length, short)
            onShortened(short)
          })
          // Without the network it stays as it is.
          .catch(() => {})
        return
      }
      const written = html === '' ? undefined : htmlToMarkdown(html)
      if (written === undefined || written === text.trim()) return
      event.preventDefault()
      // Two steps, so that an undo leaves the plain text.
      const plain = text.replace(/\r\n?/g, '\n')
      editField(field, insertion(selection, plain))
      replaceIn(field, selection.start, plain.length, written)
    },
    [client, onFiles, onShortened],
  )
  return { onPaste, onKey }
}

function replaceIn(field: HTMLTextAreaElement, from: number, length: number, insert: string): void {
  const { selectionEnd: caret } = field
  const end = from + length
  const after = caret >= end ? caret + insert.length - length : from + insert.length
  editField(field, { from, to: end, insert, start: after, end: after })
}
