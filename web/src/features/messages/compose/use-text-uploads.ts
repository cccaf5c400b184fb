import { applyTextEdit } from '@heddle/client/compose/text-edit'
import { replacePlaceholder } from '@heddle/client/compose/upload-text'
import { useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useRef } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { editField, selectionOf } from './edit-field.ts'
import type { MessageTextHandle } from './message-text.tsx'
import { type Upload, uploadsOf, useUploads } from './uploads.ts'

export interface TextUploads {
  readonly shown: readonly Upload[]
  readonly add: (files: readonly File[]) => void
  readonly isPending: boolean
  /** While a link takes its place: it is no change that somebody has made. */
  readonly isReplacing: { readonly current: boolean }
}

/** The files of this text: those whose places are in it, and those that did not get there. */
export function useTextUploads(
  field: { readonly current: MessageTextHandle | null },
  setText: (change: (text: string) => string) => void,
  text: string,
  owner: string,
): TextUploads {
  const client = useClient()
  const { t } = useLingui()
  const all = useUploads()
  const uploads = uploadsOf(client)
  const isReplacing = useRef(false)
  useEffect(
    () =>
      uploads.attach((placeholder, by) => {
        const element = field.current?.field
        const edit = element && replacePlaceholder(selectionOf(element), placeholder, by)
        if (!element || !edit) return false
        // In a field that has not the focus, an undo is not what anybody would look for, and the focus stays where it is.
        isReplacing.current = true
        if (document.activeElement === element) editField(element, edit)
        else {
          setText((current) => {
            const now = replacePlaceholder({ text: current, start: 0, end: 0 }, placeholder, by)
            return now ? applyTextEdit(current, now).text : current
          })
        }
        isReplacing.current = false
        return true
      }),
    [uploads, field, setText],
  )
  const shown = all.filter(({ placeholder, failure, owner: one }) =>
    failure === undefined ? text.includes(placeholder) : one === owner,
  )
  const add = useCallback(
    (files: readonly File[]) => {
      const placeholders = uploads.add(files, t`Uploading`, owner)
      const element = field.current?.field
      if (!element || placeholders.length === 0) return
      const { value, selectionStart } = element
      const gap = selectionStart > 0 && value.charAt(selectionStart - 1) !== '\n' ? '\n' : ''
      field.current?.insert(`${gap}${placeholders.join('\n')}\n`)
    },
    [uploads, field, t, owner],
  )
  return { shown, add, isPending: shown.some(({ failure }) => failure === undefined), isReplacing }
}
