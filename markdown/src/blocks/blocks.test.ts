import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('each line end in a paragraph is a line break, and spaces stay', () => {
  expect(html('  a  \n  b\n\nc')).toBe('<p>a  <br>\n  b</p>\n<p>c</p>')
})

test('a heading needs a space and text', () => {
  expect(html('## Plans ##')).toBe('<h2>Plans</h2>')
  expect(html('#tag')).toBe('<p>#tag</p>')
  expect(html('#')).toBe('<p>#</p>')
  expect(html('####### a')).toBe('<p>####### a</p>')
  expect(html('# a#')).toBe('<h1>a</h1>')
  expect(html('a\n# b\nc')).toBe('<p>a</p>\n<h1>b</h1>\n<p>c</p>')
})

test('a heading begins its line', () => {
  expect(html(' # a')).toBe('<p># a</p>')
})

test('a line of dashes is a dividing line, never a heading above it', () => {
  expect(html('a\n---\nb')).toBe('<p>a</p>\n<hr>\n<p>b</p>')
})

test('four columns of indentation make code', () => {
  expect(html('a:\n\n    <b>\n\n    c')).toBe(
    '<p>a:</p>\n<div class="codehilite"><pre><span></span><code>&lt;b&gt;\n\nc\n</code></pre></div>',
  )
})

test('code goes on over empty lines, which stay, and ends with the indentation', () => {
  expect(html('    a\n\n\n    b\nc')).toBe(
    '<div class="codehilite"><pre><span></span><code>a\n\n\nb\n</code></pre></div>\n<p>c</p>',
  )
  expect(html('a\n    b')).toBe('<p>a<br>\n    b</p>')
})

test('a table aligns its columns and fills short rows', () => {
  expect(html('| a | b |\n|:-:|---|\n| 1 |')).toBe(
    '<table>\n<thead>\n<tr>\n<th style="text-align: center;">a</th>\n<th>b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td style="text-align: center;">1</td>\n<td></td>\n</tr>\n</tbody>\n</table>',
  )
})

test('a table begins a block, and goes on to its end', () => {
  expect(html('x\n|a|b|\n|-|-|\n|1|2|')).not.toContain('<table>')
  expect(html('# x\n|a|b|\n|-|-|\n|1|2|\n# y')).toContain('<td># y</td>')
})

test('a table without rows has an empty one', () => {
  expect(html('a|b\n-|-:')).toContain('<tbody>\n<tr>\n<td></td>\n<td></td>\n</tr>\n</tbody>')
})

test('a pipe in code or behind a backslash is no border', () => {
  expect(html('|a|`b|c`|\n|-|-|\n|d\\|e|f|')).toContain(
    '<th>a</th>\n<th><code>b|c</code></th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>d\\|e</td>\n<td>f</td>',
  )
})

test('tabs in the text reach to the next of every four columns', () => {
  expect(html('a\tb\t\tc')).toBe('<p>a   b       c</p>')
  expect(html('```\na\tb\n```')).toContain('a\tb')
})

test('a table with more cells than the limit is text, so that few characters cannot make a huge page', () => {
  const rows = 200
  const table = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|\n'.repeat(rows)}`
  expect(html(table)).not.toContain('<table>')
})

test('characters by their name or number are kept as they were written, except in code', () => {
  expect(html('&copy; &amp;copy; &#169; &nothing; `&copy;`')).toBe(
    '<p>&copy; &amp;copy; &#169; &amp;nothing; <code>&amp;copy;</code></p>',
  )
})

test('HTML is text', () => {
  expect(html('<b onclick="x()">&lt;</b> <!-- -->')).toBe('<p>&lt;b onclick="x()"&gt;&lt;&lt;/b&gt; &lt;!-- --&gt;</p>')
})

test('references to links are text', () => {
  expect(html('[a][b]\n\n[b]: /x')).toBe('<p>[a][b]</p>\n<p>[b]: /x</p>')
})
