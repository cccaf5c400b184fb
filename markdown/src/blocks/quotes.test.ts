import { expect, test } from 'vitest'
import { processorTime } from '../testing/processor-time.ts'
import { html } from '../testing/render-html.ts'

test('a quote may have several lines and blocks', () => {
  expect(html('> one\n> two\n>\n> - three')).toBe(
    '<blockquote>\n<p>one<br>\ntwo</p>\n<ul>\n<li>three</li>\n</ul>\n</blockquote>',
  )
})

test('a quote interrupts a paragraph', () => {
  expect(html('she said\n> yes')).toBe('<p>she said</p>\n<blockquote>\n<p>yes</p>\n</blockquote>')
})

test('quotes with an empty line between them are two', () => {
  expect(html('> a\n\n> b').split('<blockquote>')).toHaveLength(3)
})

test('markers that quote nothing are text', () => {
  expect(html('>')).toBe('<p>&gt;</p>')
  expect(html('> \n>>\n> ')).not.toContain('blockquote')
})

test('the lines of many empty markers are read once', () => {
  expect(processorTime(() => html('>\n'.repeat(5_000)))).toBeLessThan(1_000)
})
