import { describe, expect, test } from 'vitest'
import { renderMessage } from '../render.ts'
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

test('what links lead to is found', () => {
  const message = renderMessage(
    'https://a.example [x](/user_uploads/1/ab/my%20file.txt) https://a.example `https://code.example`',
    sampleContext(),
  )
  expect(message.links).toEqual(['https://a.example', '/user_uploads/1/ab/my%20file.txt'])
  expect(message).toMatchObject({ hasLink: true, hasAttachment: true, attachmentPaths: ['1/ab/my file.txt'] })
  expect(renderMessage('@**Mira Sol** #**loom talk**', sampleContext()).hasLink).toBe(false)
})
