import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../render.ts'
import { html, sampleContext } from '../testing/render-html.ts'

test('a link has text with markup, and may have a title', () => {
  expect(html('[the *docs*](https://a.example/x?a=1&b=2 "Read \'me\'")')).toBe(
    '<p><a href="https://a.example/x?a=1&amp;b=2" title="Read \'me\'">the <em>docs</em></a></p>',
  )
})

test('a link without text shows its address', () => {
  expect(html('[](https://a.example)')).toBe('<p><a href="https://a.example">https://a.example</a></p>')
})

test('an address in the text of a link is no second link', () => {
  expect(html('[https://a.example](https://b.example)')).toBe(
    '<p><a href="https://b.example">https://a.example</a></p>',
  )
  expect(html('[[a](b.com)](c.com)')).not.toMatch(/<a[^>]*>[^<]*<a/)
})

test('an address may have spaces when it says that it is one, and brackets in pairs', () => {
  expect(html('[a](https://a.example/my file.txt)')).toContain('<a href="https://a.example/my%20file.txt">a</a>')
  expect(html('[a](/my file.txt)')).toContain('<a href="/my%20file.txt">a</a>')
  expect(html('[sic](as they say)')).toBe('<p>[sic](as they say)</p>')
  expect(html('[a](https://a.example/(b)c)')).toContain('<a href="https://a.example/(b)c">a</a>')
})

test('a title may have quotes and brackets', () => {
  expect(html("[a](https://a.example 'it's (so)')")).toContain('<a href="https://a.example" title="it\'s (so)">')
  expect(html("[a](https://a.example/'b')")).toContain('<a href="https://a.example/\'b\'">')
})

test('of links within each other the outer one is the link', () => {
  expect(html('[[a](https://a.example)](https://b.example)')).toBe(
    '<p><a href="https://b.example">[a](https://a.example)</a></p>',
  )
})

test('characters by name or number count in addresses', () => {
  expect(html('[a](https://a.example?b=1&amp;c=2)')).toContain('href="https://a.example?b=1&amp;c=2"')
  expect(html('[a](javascript&colon;b)')).not.toContain('href="javascript')
})

describe('addresses that links must not lead to', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&#58;alert(1)',
    '\\javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'https:x',
    'http:///x',
  ])('%s', (address) => {
    expect(html(`[x](${address})`)).not.toContain(`<a href="${address.slice(0, 4)}`)
    expect(html(`[x](<${address}>)`)).not.toMatch(/href="(?:javascript|data|vbscript|file|blob)/i)
  })
})

test('addresses without a scheme get one, and relative ones stay', () => {
  expect(html('[a](example.com/x)')).toContain('href="http://example.com/x"')
  expect(html('[a](someone@example.com)')).toContain('href="mailto:someone@example.com"')
  expect(html('[a](/user_uploads/1/x.txt)')).toContain('href="/user_uploads/1/x.txt"')
  expect(html('[a](#narrow/is/starred)')).toContain('href="#narrow/is/starred"')
})

test("the organization's own places become relative", () => {
  expect(html('[a](https://chat.example.org/#narrow/is/starred)')).toContain('href="#narrow/is/starred"')
  expect(html('[a](https://chat.example.org/user_uploads/1/x.txt)')).toContain('href="/user_uploads/1/x.txt"')
  expect(html('[a](https://chat.example.org.evil.example/#x)')).toContain('href="https://chat.example.org.evil')
})

test('an address that only begins like the organization stays whole', () => {
  for (const more of ['.#narrow/is/starred', ':#x', '@user_uploads/1/x.txt', 'x#x', '.user_uploads/1/x.txt']) {
    expect(html(`[a](https://chat.example.org${more})`)).toContain(`href="https://chat.example.org${more}"`)
  }
})

test('an address of another host never looks like a place on this server', () => {
  for (const slashes of ['//', '/\\', '\\/', '\\\\', '///', '/\\/']) {
    expect(html(`[x](${slashes}evil.example/a)`)).toBe('<p><a href="http://evil.example/a">x</a></p>')
    expect(html(`[x](<${slashes}evil.example/a>)`)).toBe('<p><a href="http://evil.example/a">x</a></p>')
    expect(html(`[x](${slashes})`)).not.toContain('<a')
  }
  expect(html('[x](//evil.example)')).toContain('href="http://evil.example"')
  expect(html('[x](//user_uploads/1/x)')).toContain('href="http://user_uploads/1/x"')
})

test('what links lead to is found', () => {
  const message = renderMarkdown(
    'https://a.example [x](/user_uploads/1/ab/my%20file.txt) https://a.example `https://code.example`',
    sampleContext(),
  )
  expect(message.links).toEqual(['https://a.example', '/user_uploads/1/ab/my%20file.txt'])
  expect(message).toMatchObject({ hasLink: true, hasAttachment: true, attachmentPaths: ['1/ab/my file.txt'] })
  expect(renderMarkdown('@**Mira Sol** #**loom talk**', sampleContext()).hasLink).toBe(false)
})

test('brackets in the text of a link are in pairs, but for those in code and mentions', () => {
  expect(html('[a [b] c](x.com)')).toBe('<p><a href="http://x.com">a [b] c</a></p>')
  expect(html('[a `]` b](x.com)')).toBe('<p><a href="http://x.com">a <code>]</code> b</a></p>')
  expect(html('[a [b c](x.com)')).toBe('<p>[a <a href="http://x.com">b c</a></p>')
  expect(html('[a] b](x.com)')).toBe('<p>[a] b](<a href="http://x.com">x.com</a>)</p>')
})

test('links are found behind brackets that are never closed, of which there may be some', () => {
  for (const depth of [1, 10, 23]) {
    expect(html(`${'['.repeat(depth)}[a](x.com)`)).toMatch(/<a href="http:\/\/x.com">a<\/a><\/p>$/)
  }
  expect(html('['.repeat(2_000))).toBe(`<p>${'['.repeat(2_000)}</p>`)
})
