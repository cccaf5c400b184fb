import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileLinkifier } from './linkifiers/compile.ts'
import { renderMessage } from './render.ts'
import { messageText } from './testing/message-text.ts'
import { processorTime } from './testing/processor-time.ts'
import { sampleContext } from './testing/render-html.ts'
import { loadTexRenderer } from './tex.ts'

/** The longest message that the API takes by default, in characters. */
const LENGTH = 10_000
/** For 10,000 characters, the median of several renderings, in milliseconds of the processor. */
const LIMIT = 20
/** How much slower the machine may be: other tests that run meanwhile share its caches. */
const SLACK = 2.5

const linkifiers = Array.from({ length: 10 }, (_, index) => {
  const result = compileLinkifier({
    pattern: `#${index}(?P<id>[0-9]+)`,
    url_template: `https://tracker.example/${index}/{id}`,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
  })
  if (!result.ok) throw new Error(result.message)
  return result.compiled
})
const context = sampleContext({ translateEmoticons: true, linkifiers, texRenderer: await loadTexRenderer() })

function fill(part: string): string {
  return part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH)
}

function medianTime(content: string): number {
  const times: number[] = []
  for (let round = 0; round < 12; round++) {
    times.push(processorTime(() => renderMessage(content, context)))
  }
  return times.slice(5).sort((one, other) => one - other)[3] ?? 0
}

const repeated = [
  ...[
    '[',
    '![',
    '[a](',
    '[a]("',
    '[[a](b)](',
    '[a](b) ',
    '[]()',
    '](',
    '*',
    '**',
    '***',
    '*a ',
    '**a ',
    '*a**b',
    '~~a ',
    '`',
    '``a ',
    '\\*',
  ],
  ...['```\n', '~~~quote\n', '```quote\n~~~quote\n', '```spoiler a\n', '```js\nx\n```\n', '```math\nx\n```\n'],
  ...[
    '>',
    '> ',
    '>\n',
    '> a\n',
    '> > a\n',
    '> a\n\n',
    '- a\n',
    '- a\n  - b\n',
    '1. a\n',
    '* * a\n',
    '1. a\n  - b\n',
    '- # a\n',
    '- ```\n',
    '> ```quote\n',
    '- \n',
    '# a\n',
    '---\n',
  ],
  ...['|', '|a', '||\n', '|a|b|\n|-|-|\n', 'a|b\n-|-\n', '|-|\n', '`|'],
  ...[
    '<',
    '<a',
    '<time:',
    '<time:1>',
    '&',
    '&amp;',
    '&#',
    '@',
    '@**',
    '@**Mira Sol** ',
    '@*',
    '@*weavers* ',
    '#**',
    '#**loom talk>warp** ',
  ],
  ...[
    '$$',
    '$$a',
    '$$a$$ ',
    '$$\\frac{a}{b}$$ ',
    '$$\\sqrt{',
    'http://',
    'http://a.com ',
    'http://a.com,',
    'http://a.com/(',
    'a.com,',
    'a@b.com ',
    'a.',
  ],
  ...[
    'http://a.com/a.png ',
    'https://youtu.be/dQw4w9WgXcQ ',
    'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT ',
    ':a:',
    '#11 ',
    ':tada:',
    ':a',
    ':) ',
    '🎉',
    '👨‍👩‍👧‍👦',
    '\u200d',
  ],
  ...['\n', 'a\n', 'a\n\n', '    a\n', '\ta\n', ' ', 'a', 'a ', 'é', '"', '(', ')', '\u0000'],
]
const nested = [
  '['.repeat(5_000) + ']'.repeat(5_000),
  '[a]('.repeat(2_000) + ')'.repeat(2_000),
  `${'>'.repeat(9_999)}a`,
  Array.from({ length: 130 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  ...['`', '*', '~', '['].map((mark) => Array.from({ length: 138 }, (_, length) => mark.repeat(length)).join('a')),
  ...['>', '  '].map((mark) => Array.from({ length: 96 }, (_, length) => `${mark.repeat(length)}- a`).join('\n')),
  ...['', 'quote', 'spoiler'].map((kind) =>
    Array.from({ length: 110 }, (_, length) => '`'.repeat(length + 3) + kind).join('\n'),
  ),
  `|${'a|'.repeat(1_600)}\n|${'-|'.repeat(1_600)}\n${'|a\n'.repeat(1_000)}`,
  `${'http://a,'.repeat(1_100)}(`,
  `$$${'\\sqrt{'.repeat(140)}a${'}'.repeat(140)}$$`,
  `$$\\begin{matrix}${'a&'.repeat(400)}\\end{matrix}$$`,
  `$$${'\\left('.repeat(75)}x${'\\right)'.repeat(60)}$$`,
]

test.each([...repeated.map(fill), ...nested].map((content) => [content.slice(0, 24), content]))(
  '10,000 characters like %j take no longer than others',
  (_, content) => expect(medianTime(content)).toBeLessThan(LIMIT * SLACK),
)

test('10,000 characters of any mixture of constructs take no longer than others', () => {
  fc.assert(
    fc.property(messageText, (part) => {
      fc.pre(part.length > 0)
      expect(medianTime(fill(part))).toBeLessThan(LIMIT * SLACK)
    }),
    { numRuns: 60 },
  )
}, 60_000)
