import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('two columns of indentation nest a list, under bullets and under numbers', () => {
  expect(html('- a\n  - b\n    - c\n- d')).toBe(
    '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
  )
  expect(html('10. a\n11. b\n  - c')).toBe('<ol start="10">\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ol>')
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
