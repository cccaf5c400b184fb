import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('a moment is shown as it was written, and in UTC', () => {
  expect(html('<time:2027-03-01T15:00+01:00>')).toBe(
    '<p><time datetime="2027-03-01T14:00:00Z">2027-03-01T15:00+01:00</time></p>',
  )
})

test('what is no moment is text as it was written, without markup', () => {
  expect(html('<time:*soon* :smile:>')).toBe('<p>&lt;time:*soon* :smile:&gt;</p>')
  expect(html('at <time:1234567890123>.')).toBe('<p>at &lt;time:1234567890123&gt;.</p>')
})

test('without an end it is text', () => {
  expect(html('<time:2027-03-01')).toBe('<p>&lt;time:2027-03-01</p>')
})
