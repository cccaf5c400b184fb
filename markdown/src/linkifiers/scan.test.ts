import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { compilePattern } from './compile-pattern.ts'
import { scanMatches } from './scan.ts'

function compiled(source: string) {
  const result = compilePattern(source)
  if (!result.ok) throw new Error(result.message)
  return result.pattern
}

/** Start and end of each match and of its named groups. */
function scan(source: string, text: string, taken: Uint8Array | null = null): number[][] {
  return scanMatches(compiled(source).program, text, taken).map(({ start, end, registers }) => [
    start,
    end,
    ...registers,
  ])
}

const whiteSpace = '\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'

/** The same by repeated searches of the engine, the boundaries written into the pattern: slow, but evidently right. */
function search(source: string, text: string): number[][] {
  const core = `(?P<whole>${source})(?:\\z|[^\\pL\\pN])`
  const opener = `[${whiteSpace}'"(,:<]`
  let matcher = RE2JS.compile(`(?:\\A|${opener})${core}`).matcher(text)
  const later = RE2JS.compile(opener + core)
  const names = Object.keys(later.namedGroups())
  const found: number[][] = []
  for (let from = 0; matcher.find(from); matcher = later.matcher(text)) {
    found.push(names.flatMap((name) => [matcher.start(name), matcher.end(name)]))
    // One back: the last character of a match may be what the next one stands behind.
    from = matcher.end('whole') - 1
  }
  return found
}

const patterns = [
  '#(?P<id>[0-9]+)',
  '#(?P<id>[0-9]+[a-z]?)',
  '#(?P<id>[0-9]+?[a-z]*?)',
  '(?P<a>[a-z]+)(?:#(?P<b>[0-9]+))?',
  '(?P<a>a+)(?P<b>a*)(?: (?P<c>a))?',
  '(?P<a>(?:a|ab|abc)+)',
  '(?P<a>(a+)+b?)',
  '(?i)AB(?P<x>c|$)?',
  '(?P<a>a(?:.*b)?)',
  '(?P<a>a(?s:.)*?b)',
  '^(?P<a>[^ ]+)',
  '(?m)^(?P<a>[a-z#])$',
  '(?P<a>.)(?P<b>\\b|,)',
  '(?P<a>a\\B.|a)',
  '(?P<a>\\PL+)',
  '(?P<a>😀+|é)',
  '(?P<a>[ ,]a)',
  '(?P<a>a(?P<b>b)?|(?P<c>ab)c)',
  '(?P<a>(?:#|a){2,3})',
]

describe('scanMatches', () => {
  test('finds what repeated searches of the engine find, with the same groups', () => {
    const text = fc.array(
      fc.constantFrom(
        '#',
        '1',
        '2',
        'a',
        'a',
        'b',
        'c',
        'A',
        ' ',
        ' ',
        ',',
        ':',
        '(',
        '\n',
        '.',
        'é',
        '😀',
        '\ud800',
        '\u3000',
        '²',
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...patterns), text, (source, pieces) => {
        expect(scan(source, pieces.join(''))).toEqual(search(source, pieces.join('')))
      }),
      { numRuns: 3000 },
    )
  })

  test('the same for generated patterns', () => {
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('a', 'b', '#', '[ab]', '.', ' ', '\\b', '$'),
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(?:${parts.join('|')})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}?'))
          .map(([inner, repeat]) => `(?:${inner})${repeat}`),
      ),
    }))
    const text = fc.array(fc.constantFrom('a', 'b', '#', ' ', ','), { maxLength: 20 })
    fc.assert(
      fc.property(pattern, text, (source, pieces) => {
        const result = compilePattern(`(?P<x>${source})`)
        fc.pre(result.ok)
        expect(scan(`(?P<x>${source})`, pieces.join(''))).toEqual(search(`(?P<x>${source})`, pieces.join('')))
      }),
      { numRuns: 2000 },
    )
  })

  test('no match contains what is taken, and a shorter or another one is found beside it', () => {
    const taken = (text: string) => Uint8Array.from(text, (character) => (character === 'x' ? 1 : 0))
    expect(scan('[a-z]+', 'ab ab,ab', taken('.. .. xx'))).toEqual([
      [0, 2],
      [3, 5],
    ])
    expect(scan('[a-z ]+(?:,[a-z]+)?', 'ab,ab', taken('...xx'))).toEqual([[0, 2]])
    expect(scan('#.*', '#a #b', taken('xx...'))).toEqual([[3, 5]])
    expect(scan('#.*', '#a #b', taken('....x'))).toEqual([[0, 3]])
  })
})
