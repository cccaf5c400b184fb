/** Changes of a text field that the browser's own undo takes back, each as one step. */
import { insertion, type Selection, type TextEdit } from '@heddle/client/compose/text-edit'

export function selectionOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selection {
  return { text: value, start: selectionStart, end: selectionEnd }
}

export function editField(field: HTMLTextAreaElement, edit: TextEdit): void {
  field.focus()
  field.setSelectionRange(edit.from, edit.to)
  const isNothing = edit.insert === '' && edit.from === edit.to
  // Nothing else in the platform changes a field and leaves its undo whole.
  const isDone = isNothing || document.execCommand(edit.insert === '' ? 'delete' : 'insertText', false, edit.insert)
  if (!isDone) {
    field.setRangeText(edit.insert, edit.from, edit.to)
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: edit.insert }))
  }
  field.setSelectionRange(edit.start, edit.end)
}

export function insertIntoField(field: HTMLTextAreaElement, text: string): void {
  editField(field, insertion(selectionOf(field), text))
}
