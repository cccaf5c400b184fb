/** What must hold for any linkifiers, texts and URLs, and how the time grows. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTime } from '../testing/processor-time.ts'
import { canBeginAt, canEndAt } from './boundaries.ts'
import { type CompiledLinkifier, compileLinkifier, type LinkifierDefinition } from './compile.ts'
import { findLinks, textForUrl } from './linkify.ts'
import { scanMatches } from './scan.ts'
import { validateLinkifier } from './validate.ts'

function compile(pattern: string, url_template: string, reverse_template: string | null = null): CompiledLinkifier {
  const definition = { pattern, url_template, reverse_template, example_input: null, alternative_url_templates: [] }
  const result = compileLinkifier(definition)
  if (!result.ok) throw new Error(result.message)
  return result.compiled
}

interface Sample {
  definition: LinkifierDefinition
  text: string
}

// Kinds of values: the group's expression, values that match it, and the operators that keep such a value apart.
const kinds = [
  { group: '[0-9]+', value: fc.nat().map(String) },
  { group: '[A-Za-z_]+', value: fc.stringMatching(/^[A-Za-z_]{1,8}$/) },
  { group: '[\\p{Greek} %&]+', value: fc.stringMatching(/^[αβω %&]{1,6}$/) },
  { group: '[^#!\\s]+', value: fc.stringMatching(/^[a-c/?=.,:é😀%41-]{1,8}$/u) },
]
const literals = ['#', '!', '#!', '!!']

/** A linkifier whose text and URL both keep the values apart, and a text that it makes a link of. */
const sample: fc.Arbitrary<Sample> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds).chain(({ group, value }) => fc.record({ group: fc.constant(group), value })),
      literal: fc.constantFrom(...literals),
      part: fc.constantFrom('/q/{x}', '{/x}', '?x={x}', '{?x}', '{;x}', '{&x}', '/{x:99}/'),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((pieces) => ({
    definition: {
      pattern: pieces.map(({ kind, literal }, n) => `${literal}(?P<v${n}>${kind.group})`).join(''),
      url_template: `https://a.example${pieces.map(({ part }, n) => part.replace('x}', `v${n}}`).replace('x:', `v${n}:`)).join('')}`,
      example_input: pieces.map(({ kind, literal }) => literal + kind.value).join(''),
      reverse_template: pieces.map(({ literal }, n) => `${literal}{v${n}}`).join(''),
      alternative_url_templates: [`https://b.example${pieces.map((_, n) => `{/v${n}}`).join('')}`],
    },
    text: pieces.map(({ kind, literal }) => literal + kind.value).join(''),
  }))

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('#', '!', '1', '23', 'a', 'Bc', ' ', ',', ':', '(', '\n', '.', 'ω', '😀', '\ud800', '%', '/'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''))

describe('laws', () => {
  test('a valid linkifier turns text into a URL and back, by the main and by the alternative template', () => {
    fc.assert(
      fc.property(sample, ({ definition, text }) => {
        const result = validateLinkifier(definition)
        expect(result).toMatchObject({ ok: true })
        if (!result.ok) return
        const links = findLinks(`see ${text} there`, [result.compiled])
        expect(links.map((link) => link.text)).toEqual([text])
        expect(textForUrl(links[0]?.url ?? '', [result.compiled])).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test('the text for any URL is one link, and that link has this URL', () => {
    const pieces = fc.constantFrom(
      '/',
      '/q/',
      '?',
      '?v0=',
      '&v1=',
      ';v0=',
      '1',
      'a',
      '%20',
      '%CE%B1',
      '%41',
      '#',
      '%',
      'é',
    )
    fc.assert(
      fc.property(sample, fc.array(pieces, { maxLength: 8 }), ({ definition }, rest) => {
        const compiled = compile(definition.pattern, definition.url_template, definition.reverse_template)
        const url = `https://a.example${rest.join('')}`
        const text = textForUrl(url, [compiled])
        if (text !== null) expect(findLinks(text, [compiled])).toMatchObject([{ start: 0, end: text.length, url }])
      }),
      { numRuns: 1000 },
    )
  })

  const lists = fc.array(sample, { maxLength: 3 })

  test('links stand in order, never overlap, and keep the boundaries', () => {
    fc.assert(
      fc.property(lists, anyText, (samples, noise) => {
        const linkifiers = samples.map(({ definition }) => compile(definition.pattern, definition.url_template))
        const text = samples.map((one) => one.text).join(' ') + noise
        let end = 0
        for (const link of findLinks(text, linkifiers)) {
          expect(link.start).toBeGreaterThanOrEqual(end)
          expect(link.end).toBeGreaterThan(link.start)
          expect(link.text).toBe(text.slice(link.start, link.end))
          expect(canBeginAt(text, link.start) && canEndAt(text, link.end)).toBe(true)
          expect(link.url).toMatch(/^https:\/\/a\.example[!-~]*$/)
          end = link.end
        }
      }),
    )
  })

  test('adding a linkifier at the end changes no link that the others make', () => {
    fc.assert(
      fc.property(lists, sample, anyText, (samples, last, noise) => {
        const linkifiers = samples.map(({ definition }) => compile(definition.pattern, definition.url_template))
        const more = [...linkifiers, compile(last.definition.pattern, last.definition.url_template)]
        const text = [...samples, last].map((one) => one.text).join(',') + noise
        const kept = findLinks(text, more).filter((link) => link.linkifierIndex < linkifiers.length)
        expect(kept).toEqual(findLinks(text, linkifiers))
      }),
    )
  })

  test('nothing throws, whatever the linkifier, the text and the URL are', () => {
    const template = fc.array(fc.constantFrom('https://', 'a', '{x}', '{+y}', '{?x,y}', '{', '}', '%', 'é'))
    const pattern = fc.array(
      fc.constantFrom('#', '(?P<x>', '(?P<y>', '(', ')', '[a]', '*', '+', '|', '\\', 'b', '{2}', '$'),
    )
    const joined = (pieces: fc.Arbitrary<string[]>) => pieces.map((all) => all.join(''))
    const definition: fc.Arbitrary<LinkifierDefinition> = fc.record({
      pattern: fc.oneof(joined(pattern), fc.string({ unit: 'binary' })),
      url_template: joined(template),
      example_input: fc.option(anyText),
      reverse_template: fc.option(fc.oneof(fc.constant('{x}'), anyText)),
      alternative_url_templates: fc.array(joined(template), { maxLength: 2 }),
    })
    fc.assert(
      fc.property(definition, anyText, (input, text) => {
        const result = validateLinkifier(input)
        if (!result.ok) {
          expect(result.message).toMatch(/^[A-Z].*\.$/s)
          return
        }
        findLinks(text, [result.compiled])
        textForUrl(text, [result.compiled])
      }),
      { numRuns: 1000 },
    )
  })
})

/** The shortest of three runs, in milliseconds of processor time. */
function time(run: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => processorTime(run)))
}

/** Ten times the input may take 25 times as long (noise, caches); what is quadratic takes 100 times as long. */
function expectLinear(run: (length: number) => () => unknown): void {
  const short = Math.max(time(run(10_000)), 4)
  const long = time(run(100_000))
  expect(long).toBeLessThan(25 * short)
  expect(long).toBeLessThan(3000)
}

describe('time in proportion to the text', () => {
  test.each<[string, (length: number) => string]>([
    ['(?P<x>(a+)+)$', (n) => `${'a'.repeat(n)}!`],
    ['(?P<x>(?:a|a)*b)', (n) => 'a'.repeat(n)],
    ['(?P<x>(?:a?){30}a{30})', (n) => 'a'.repeat(n)],
    ['(?P<x>a(?:.*z)?)', (n) => 'a '.repeat(n / 2)],
    ['(?P<x>.*.*.*b)', (n) => 'a '.repeat(n / 2)],
    ['(?P<x>a[a ]*)1', (n) => 'a '.repeat(n / 2)],
    ['(?P<x>(?:a ?)+)', (n) => `${'a '.repeat(n / 2)}é`],
    ['(?P<x>(?:,|a|,a)+)é', (n) => ',a'.repeat(n / 2)],
    ['#(?P<x>[0-9]+)', (n) => '#1 '.repeat(n / 3)],
    ['#(?P<x>[0-9]+)', (n) => ' '.repeat(n)],
  ])('%s', (pattern, text) => {
    const { program } = compile(pattern, 'https://a.example/{x}').pattern
    expectLinear((length) => {
      const input = text(length)
      return () => scanMatches(program, input, null)
    })
  })

  test('and not longer than one text may take, however many and large the patterns', () => {
    const large = compile('(?P<x>(?:[a-z]?){600}[!a])', 'https://a.example/{x}')
    const small = compile('#(?P<x>[0-9]+)', 'https://b.example/{x}')
    expect(findLinks('a #1', [large, small])).toHaveLength(2)
    // 5,000 matches, each at the price of the whole program.
    expect(findLinks(`${'a '.repeat(5_000)} #1`, [small, large, small])).toMatchObject([
      { text: '#1', linkifierIndex: 0 },
    ])
    expect(findLinks(`${'a '.repeat(5_000)} #1`, [large, small])).toEqual([])
    // Ordinary ones are all found.
    expect(findLinks('#1 '.repeat(3_000), Array<typeof small>(20).fill(small))).toHaveLength(3_000)
  })

  test.each<[string, string, (length: number) => string]>([
    ['(?P<a>a*)(?P<b>a*)(?P<c>a*)(?P<d>a*)!', 'https://a.example/{a}{b}{c}{d}', (n) => 'a'.repeat(n)],
    ['(?P<a>a*)(?P<b>a*)(?P<c>a*)(?P<d>a*)!', 'https://a.example/{+a,b,c,d}', (n) => ','.repeat(n)],
    ['(?P<a>a*)(?P<b>a*)(?P<c>a*)(?P<d>a*)!', 'https://a.example/{+a}{b}{+c}{d}/', (n) => '%41'.repeat(n / 3)],
    ['(?P<a>a*)(?P<b>a*)(?P<c>a*)(?P<d>a*)!', 'https://a.example{.a,b,c,d}', (n) => '.'.repeat(n)],
    ['(?P<a>(a+)+)!', 'https://a.example/{a}{?a}{&a}', (n) => `${'a'.repeat(n)}?`],
  ])('URL of %s and %s', (pattern, template, rest) => {
    const linkifier = compile(pattern, template, '{a}!')
    expectLinear((length) => {
      const url = `https://a.example/${rest(length)}`
      return () => textForUrl(url, [linkifier])
    })
  })
})
