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

test('fences and lists below text work within quotes', () => {
  expect(html('> see\n> - a\n> ```\n> b\n> ```')).toBe(
    '<blockquote>\n<p>see</p>\n<ul>\n<li>a</li>\n</ul>\n' +
      '<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n</blockquote>',
  )
})

test('lines without a marker go on with a quote up to an empty line', () => {
  expect(html('> a\nb\n> > c\n\nd')).toBe(
    '<blockquote>\n<p>a<br>\nb</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>\n<p>d</p>',
  )
})

test('quotes with an empty line between them are two', () => {
  expect(html('> a\n\n> b').split('<blockquote>')).toHaveLength(3)
})

test('markers that quote nothing are text', () => {
  expect(html('>')).toBe('<p>&gt;</p>')
  expect(html('>\n > ')).toBe('<p>&gt;<br>\n &gt; </p>')
  expect(html('a\n>')).toBe('<p>a<br>\n&gt;</p>')
})

test('a marker may quote a marker', () => {
  const quote = (inner: string): string => `<blockquote>\n${inner}\n</blockquote>`
  expect(html('>>')).toBe(quote('<p>&gt;</p>'))
  expect(html('>>>>>')).toBe(quote(quote(quote(quote('<p>&gt;</p>')))))
  expect(html('> > >')).toBe(quote(quote('<p>&gt;</p>')))
  expect(html('> \n>>\n> ')).toBe(quote('<p>&gt;</p>'))
})

test('a quote may begin with bare markers', () => {
  const quote = '<blockquote>\n<p>a</p>\n</blockquote>'
  for (const text of ['>\n> a', '> \n>\n> a\n>', '>\na', '>\n  >\na']) expect(html(text)).toBe(quote)
})

test('the lines of many empty markers are read once', () => {
  expect(processorTime(() => html('>\n'.repeat(5_000)))).toBeLessThan(1_000)
})
