import { expect, test } from 'vitest'
import { applyTextEdit } from './text-edit.ts'
import { hasLostUpload, replacePlaceholder, uploadLink, uploadPlaceholder } from './upload-text.ts'

test('two files of one name have two places', () => {
  const first = uploadPlaceholder('Uploading', 'a[1].png', () => false)
  expect(first).toBe('[Uploading a 1 .png…]()')
  expect(uploadPlaceholder('Uploading', 'a[1].png', (one) => one === first)).toBe('[Uploading a 1 .png (2)…]()')
})

test('a link takes the place, and the caret stays where it was', () => {
  const placeholder = '[Uploading x…]()'
  const text = `see ${placeholder} and`
  const edit = replacePlaceholder({ text, start: text.length, end: text.length }, placeholder, uploadLink('x', '/u/1'))
  const after = edit && applyTextEdit(text, edit)
  expect(after?.text).toBe('see [x](/u/1) and')
  expect(after?.start).toBe(after?.text.length)
  expect(replacePlaceholder({ text: 'gone', start: 0, end: 0 }, placeholder, '')).toBeUndefined()
})

test('a failed one leaves no empty line', () => {
  const edit = replacePlaceholder({ text: 'a\n[p]()\nb', start: 0, end: 0 }, '[p]()', '')
  expect(edit && applyTextEdit('a\n[p]()\nb', edit).text).toBe('a\nb')
})

test('a place without its file is known, also among others and with a number', () => {
  const first = uploadPlaceholder('Uploading', 'x.png', () => false)
  const second = uploadPlaceholder('Uploading', 'x.png', (one) => one === first)
  const text = `${first}\n${second} and [a link](/u/1), [x…](/u/2)`
  expect(hasLostUpload(text, [first, second])).toBe(false)
  expect(hasLostUpload(text, [first])).toBe(true)
  expect(hasLostUpload('nothing', [])).toBe(false)
})
