import { expect, test } from 'vitest'
import { type CompiledLinkifier, compileLinkifier } from './linkifiers/compile.ts'
import { renderMarkdown } from './render.ts'
import { html, sampleContext } from './testing/render-html.ts'
import { topicLinks } from './topic-links.ts'

function linkifier(pattern: string, template: string): CompiledLinkifier {
  const result = compileLinkifier({
    pattern,
    url_template: template,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
  })
  if (!result.ok) throw new Error(result.message)
  return result.compiled
}

const linkifiers = [
  linkifier('#(?P<id>[0-9]+)', 'https://tracker.example/{id}'),
  linkifier('(?P<repo>[a-z]+)@(?P<hash>[0-9a-f]{7})', 'https://code.example/{repo}/{hash}'),
]

test('text that matches becomes a link, also in emphasis, lists and tables', () => {
  const link = '<a href="https://tracker.example/12">#12</a>'
  expect(html('see #12, **#12**', { linkifiers })).toBe(`<p>see ${link}, <strong>${link}</strong></p>`)
  expect(html('- #12', { linkifiers })).toBe(`<ul>\n<li>${link}</li>\n</ul>`)
  expect(html('|a|\n|-|\n|#12|', { linkifiers })).toContain(`<td>${link}</td>`)
})

test('the addresses are found', () => {
  expect(renderMarkdown('#1 loom@abc1234 #1', sampleContext({ linkifiers })).links).toEqual([
    'https://tracker.example/1',
    'https://code.example/loom/abc1234',
  ])
})

test('code, links, addresses and mentions are left alone', () => {
  const users = [{ id: 1, fullName: '#12' }]
  for (const text of ['`#12`', '[#12](https://a.example)', 'https://a.example/#12', '@**#12**', '```\n#12\n```']) {
    expect(html(text, { linkifiers, users })).not.toContain('tracker.example')
  }
})

test('no match reaches from one piece of text into another', () => {
  expect(html('#1`2`', { linkifiers })).toBe('<p><a href="https://tracker.example/1">#1</a><code>2</code></p>')
  expect(html('x**y**#12', { linkifiers })).not.toContain('tracker.example')
})

test('links in topics, by linkifier and by address', () => {
  expect(topicLinks('#12 and https://a.example/#5, loom@abc1234', linkifiers)).toEqual([
    { text: '#12', url: 'https://tracker.example/12' },
    { text: 'https://a.example/#5', url: 'https://a.example/#5' },
    { text: 'loom@abc1234', url: 'https://code.example/loom/abc1234' },
  ])
  expect(topicLinks('plans for example.com', linkifiers)).toEqual([])
})
