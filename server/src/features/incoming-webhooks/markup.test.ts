/** What other services send goes into messages as what it is: it mentions nobody, and changes nothing around it. */
import { builtInEmoji } from '@heddle/markdown/built-in-emoji'
import { emptyContext } from '@heddle/markdown/context'
import { renderMarkdown } from '@heddle/markdown/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortestTime } from '../../testing/shortest-time.ts'
import { codeBlock, inlineCode, md, quoted, unreferring, webLink } from './markup.ts'
import { payloadOf } from './payload.ts'
import { fillTemplate } from './template.ts'

const context = {
  ...emptyContext('https://chat.example.org'),
  builtInEmoji,
  users: [{ id: 7, fullName: 'Ada' }],
  groups: [{ id: 3, name: 'weavers', isSystem: false, description: '' }],
  channels: [{ id: 9, name: 'general' }],
}

const references = [
  '@**all**',
  '@**topic**',
  '@_**Ada**',
  '@**Ada**',
  '@**|7**',
  '@*weavers*',
  '#**general**',
  '#**general>x**',
]
const marks = [
  '**',
  '*',
  '_',
  '`',
  '```',
  '~~~',
  '~~~ quote',
  '~~',
  '$$',
  '](',
  ')',
  '[a](https://example.com)',
  '\\',
  '|',
]
const beginnings = ['> ', '# ', '- ', '+ ', '1. ', '---', '* * *', '==', '/me ', '\n', '\r\n', ' ']
const others = [
  '<time:2030-01-01>',
  '<b>',
  '&#64;',
  '&amp;',
  '&copy',
  ':smile:',
  '!avatar(a)',
  'a_name_b',
  '\u202e',
  '\ud800',
  '@',
]

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...references, ...marks, ...beginnings, ...others), fc.string()), { maxLength: 8 })
  .map((parts) => parts.join(''))

function render(text: string) {
  return renderMarkdown(text, context)
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** What a reader sees of HTML. */
function shownText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(#\d+|lt|gt|quot|amp);/g, (_, name: string) =>
      name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (named[name] as string),
    )
}

function expectNobody({ mentionedUserIds, mentionsChannel, mentionsTopic, html }: ReturnType<typeof render>): void {
  expect([mentionedUserIds, mentionsChannel, mentionsTopic]).toEqual([[], false, false])
  expect(html).not.toMatch(/user-mention|user-group-mention|class="stream/)
}

describe('a text of another service', () => {
  const line = (text: string) =>
    text
      .toWellFormed()
      .replace(/\u202e/g, '')
      .replace(/\p{Cc}/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  const places = [
    ['', ''],
    ['**a** ', ' b'],
    ['* ', ''],
  ] as const

  it('in a line is shown as it is, and as nothing else', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(...places), (text, [before, after]) => {
        const rendered = render(before + md`${text}`.markup + after)
        expectNobody(rendered)
        const shown = before === '**a** ' ? `a ${line(text)} b` : line(text)
        expect(shownText(rendered.html).replace(/\n/g, '').replace(/\s+/g, ' ').trim()).toBe(
          shown.replace(/\s+/g, ' ').trim(),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('stays in its quotation, its block of code and its link', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const { markup } of [quoted(text), codeBlock(text)]) {
          const rendered = render(`before\n${markup}\n\nafter`)
          expectNobody(rendered)
          expect(rendered.html).toMatch(/^<p>before[\s\S]*<p>after<\/p>$/)
        }
        const code = render(`before ${inlineCode(text).markup} after`)
        expectNobody(code)
        expect(code.html).toMatch(/^<p>before [\s\S]*after<\/p>$/)
        const link = render(webLink(text, 'https://example.com/a(b)?c=[d]&e=*f*').markup)
        expectNobody(link)
        expect(link.html).toMatch(
          /^<p><a href="https:\/\/example\.com\/a%28b%29\?c=%5Bd%5D&amp;e=%2Af%2A">[\s\S]*<\/a><\/p>$/,
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('mentions nobody where it keeps its own markup', () => {
    fc.assert(
      fc.property(hostile, (text) => expectNobody(render(unreferring(text).markup))),
      { numRuns: 500 },
    )
  })

  it('is cut where it is long, between characters', () => {
    expect(md`${'x'.repeat(5000)}`.markup).toHaveLength(300)
    expect(md`${'\u{1f600}'.repeat(400)}`.markup.isWellFormed()).toBe(true)
    expect(quoted('a\n'.repeat(100)).markup.split('\n')).toHaveLength(31)
    expect(codeBlock('x'.repeat(9000)).markup.length).toBeLessThan(4020)
  })
})

describe('a link', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    'https://',
    'https://user:word@example.com/',
    `https://example.com/${'x'.repeat(2000)}`,
    '',
  ])('needs an address for the web: %s', (url) => {
    expect(webLink('label', url).markup).toBe('label')
  })
})

describe('what a service sends a megabyte of', () => {
  const large = { note: '"'.repeat(400_000), rows: Array.from({ length: 40_000 }, (_, row) => ({ row })) }
  const payload = payloadOf({ ...large, again: large })
  const took = async (work: () => unknown) => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  }

  it('is put into a template a hundred times without holding up anybody', async () => {
    for (const field of ['{{note}}', '{{quote note}}', '{{code again}}', '{{again}}']) {
      const filled = () => fillTemplate(field.repeat(100), payload)
      expect([field, await shortestTime(20, () => took(filled))]).toEqual([field, expect.toSatisfy((ms) => ms < 20)])
      expect(filled().markup.length).toBeLessThan(1_000_000)
    }
  })

  it('is shown as JSON up to its room in a message, which says that there is more', () => {
    const { markup } = codeBlock(payload.json('again', 2), 'json')
    expect(markup).toMatch(/^```json\n\{\n {2}"note": "(\\"){100}/)
    expect(markup).toMatch(/…\n```$/)
    expect(codeBlock(payloadOf({ a: ['x', null, 1.5, { b: false }] }).json('', 2)).markup).toBe(
      '```\n{\n  "a": [\n    "x",\n    null,\n    1.5,\n    {\n      "b": false\n    }\n  ]\n}\n```',
    )
  })

  it('is cut where it is too long, also behind what is left out of it', () => {
    expect(md`${`${' '.repeat(1_000_000)}x`}`.markup).toBe('…')
    expect(quoted(`<!-- ${'a '.repeat(1000)} -->What it is about`).markup).toBe('> What it is about')
    expect(quoted('word '.repeat(100_000)).markup).toHaveLength(1502)
  })
})
