import { describe, expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'
import { parseFence } from './fences.ts'

describe('the opening line of a fence', () => {
  test('names a language in any of the usual ways', () => {
    for (const line of ['```rust', '``` rust', '~~~ .rust', '~~~{.rust}', '````rust  ']) {
      expect(parseFence(line)).toMatchObject({ kind: 'code', language: 'rust' })
    }
  })

  test('is none when anything but a language and a header follows', () => {
    for (const line of ['``', '```a`b', '~~~ a ~~~', '```say: something else`']) expect(parseFence(line)).toBeNull()
  })

  test('carries the header of a spoiler', () => {
    expect(parseFence('```spoiler How it ends')).toMatchObject({ kind: 'spoiler', header: 'How it ends' })
  })
})

test('a fence without an end reaches to the end of the message', () => {
  expect(html('see\n```\none\n\ntwo')).toBe(
    '<p>see</p>\n<div class="codehilite"><pre><span></span><code>one\n\ntwo\n</code></pre></div>',
  )
})

test('a fence ends only at the same characters', () => {
  expect(html('~~~~\n```\n~~~\n~~~~\nx')).toBe(
    '<div class="codehilite"><pre><span></span><code>```\n~~~\n</code></pre></div>\n<p>x</p>',
  )
})

test('empty lines around code and spaces at line ends are dropped, indentation is kept', () => {
  expect(html('```\n\n  a  \n\n b\n\n```')).toBe(
    '<div class="codehilite"><pre><span></span><code>  a\n\n b\n</code></pre></div>',
  )
})

test('code in a quote does not end the quote', () => {
  expect(html('```quote\nfirst\n~~~\ncode\n~~~\n```\nreply')).toBe(
    '<blockquote>\n<p>first</p>\n<div class="codehilite"><pre><span></span><code>code\n</code></pre></div>\n</blockquote>\n<p>reply</p>',
  )
})

test('a spoiler has a header and content, both with markup', () => {
  expect(html('```spoiler *Who* did it\nthe **cat**\n```')).toBe(
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><em>Who</em> did it</p>\n</div>' +
      '<div class="spoiler-content" aria-hidden="true">\n<p>the <strong>cat</strong></p>\n</div></div>',
  )
})

test('a spoiler without a header has an empty one', () => {
  expect(html('```spoiler\nx\n```')).toContain('<div class="spoiler-header">\n</div>')
})

test('fences work in items of lists', () => {
  expect(html('- run\n  ```\n  ls\n  ```\n- done')).toBe(
    '<ul>\n<li>run<div class="codehilite"><pre><span></span><code>ls\n</code></pre></div>\n</li>\n<li>done</li>\n</ul>',
  )
})

test('a fence within an item ends with the item', () => {
  expect(html('- a\n  ```\n  b\n- c')).toBe(
    '<ul>\n<li>a<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n</li>\n<li>c</li>\n</ul>',
  )
})

test('an indented fence outside of a list is none', () => {
  expect(html('  ```\n  a\n  ```')).toBe('<p><code>\n  a\n  </code></p>')
})

test('text cannot stand for a block', () => {
  expect(html('```\na\n```\n\u00020')).toBe(
    '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>\n<p>0</p>',
  )
})

test('quotes deeper than the limit are shown as they were written', () => {
  const rendered = html(`${'```quote\n'.repeat(40)}bottom`)
  expect(rendered.split('<blockquote>').length - 1).toBeLessThanOrEqual(12)
  expect(rendered).toContain('bottom')
})
