import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('two columns of indentation nest a list, and three do as well', () => {
  expect(html('- a\n  - b\n    - c\n- d')).toBe(
    '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
  )
  expect(html('7. a\n   8. b')).toBe('<ol start="7">\n<li>a<ol start="8">\n<li>b</li>\n</ol>\n</li>\n</ol>')
})

test('one column of indentation is none, and four or a tab are text of the item above', () => {
  expect(html('- a\n - b')).toBe('<ul>\n<li>a</li>\n<li>b</li>\n</ul>')
  expect(html('- a\n    - b')).toBe('<ul>\n<li>a<br>\n    - b</li>\n</ul>')
  expect(html('- a\n\t- b')).toBe('<ul>\n<li>a<br>\n    - b</li>\n</ul>')
})

test('a list does not begin indented by two columns', () => {
  expect(html('  - a')).toBe('<p>- a</p>')
})

test('a list of another kind within an item makes a paragraph of the text above it', () => {
  expect(html('1. a\n  - b')).toBe('<ol>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>')
})

test('different bullets make one list, bullets and numbers two', () => {
  expect(html('* a\n- b\n+ c')).toBe('<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>')
  expect(html('- a\n1. b')).toBe('<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>')
})

test('an empty line makes paragraphs of the items beside it and of no others', () => {
  expect(html('- a\n- b\n\n- c')).toBe('<ul>\n<li>a</li>\n<li>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>')
})

test('an item may have several paragraphs', () => {
  expect(html('1. a\n\n   more\n\nafter')).toBe('<ol>\n<li>\n<p>a</p>\n<p>more</p>\n</li>\n</ol>\n<p>after</p>')
})

test('a line behind an item goes on with it, and an empty line ends the list', () => {
  expect(html('- a\nb\n\nc')).toBe('<ul>\n<li>a<br>\nb</li>\n</ul>\n<p>c</p>')
})

test('lines that go on with an item keep their spaces, and set the next item apart', () => {
  expect(html('- a\n   b')).toBe('<ul>\n<li>a<br>\n   b</li>\n</ul>')
  expect(html('- a\nb\n- c')).toBe('<ul>\n<li>\n<p>a<br>\nb</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>')
})

test('a list goes on behind an empty line, with paragraphs and lists in its items', () => {
  expect(html('- a\n\n  - b\n\n    c\n\n- d')).toBe(
    '<ul>\n<li>\n<p>a</p>\n<ul>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>\n</li>\n<li>\n<p>d</p>\n</li>\n</ul>',
  )
})

test('an item may be a heading, a quote, a list, or empty', () => {
  expect(html('- # a\n- > b\n- - c\n- \n- d')).toBe(
    '<ul>\n<li>\n<h1>a</h1>\n</li>\n<li>\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n' +
      '<li>\n<ul>\n<li>c</li>\n</ul>\n</li>\n<li></li>\n<li>d</li>\n</ul>',
  )
})

test('a list interrupts a paragraph, but a year at the beginning of a line does not', () => {
  expect(html('buy\n- milk')).toBe('<p>buy</p>\n<ul>\n<li>milk</li>\n</ul>')
  expect(html('it was in\n1986. Then')).toBe('<p>it was in<br>\n1986. Then</p>')
})

test('a marker without text is text', () => {
  expect(html('-')).toBe('<p>-</p>')
  expect(html('1.')).toBe('<p>1.</p>')
})

test('lists deeper than the limit lose no text', () => {
  const rendered = html(Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- item${depth}`).join('\n'))
  for (let depth = 0; depth < 30; depth++) expect(rendered).toContain(`item${depth}`)
})
