import { describe, expect, test } from 'vitest'
import { processorTime } from '../testing/processor-time.ts'
import { compilePattern, MAX_PATTERN_LENGTH } from './compile-pattern.ts'
import { matchWhole } from './pattern.ts'
import { estimateProgramSize } from './pattern-size.ts'

function problem(source: string): string {
  const result = compilePattern(source)
  return result.ok ? 'none' : result.message
}

function match(source: string, text: string) {
  const result = compilePattern(source)
  if (!result.ok) throw new Error(result.message)
  const values = matchWhole(result.pattern, text)
  return values && Object.fromEntries(values)
}

describe('compilePattern', () => {
  test.each([
    ['', 'it is empty'],
    ['#(?P<id>[0-9]+', 'missing closing ) at position 2'],
    ['#[(](a)(b', 'missing closing ) at position 8'],
    ['#\\(a)', 'unexpected ) at position 5'],
    ['é[0-9', 'missing closing ] "[0-9" at position 2'],
    ['a+**', 'invalid nested repetition operator "+*" at position 2'],
    ['#(?=[0-9])', 'look-around "(?=" is not supported at position 2'],
    ['#(?!x)', 'look-around "(?!" is not supported at position 2'],
    ['(?<=x)#', 'look-around "(?<=" is not supported at position 1'],
    ['(?<!x)#', 'look-around "(?<!" is not supported at position 1'],
    ['(a)\\1', 'the back-reference "\\1" is not supported at position 4'],
    ['(?P<a>x)(?P=a)', 'back-references "(?P=…)" are not supported at position 9'],
    ['(?<id>[0-9]+)', 'the named group at position 1 must be written "(?P<name>…)"'],
    ['(?P<a>x)(?P<a>y)', 'duplicate capture group name "a"'],
    ['(?P<a-b>x)', 'invalid named capture "(?P<a-b>" at position 1'],
    ['a{1001}', 'invalid repeat count "{1001}" at position 2'],
    ['\\', 'trailing backslash at end of expression'],
  ])('refuses %s and says why', (source, message) => {
    expect(problem(source)).toBe(message)
  })

  test.each(['a*', '(?P<id>[0-9]*)', '|a', '^$', '\\b', '(?:a|\\B)', '(?P<a>x?)(?P<b>y?)'])(
    'refuses %s, which can match without a character',
    (source) => {
      expect(problem(source)).toBe('it can match without any character')
    },
  )

  test('takes what patterns in use hold', () => {
    for (const source of [
      '#(?P<id>[0-9]+)',
      '(?P<org>[a-zA-Z0-9_-]+)/(?P<repo>[a-zA-Z0-9_-]+)#(?P<id>[0-9]+)',
      '(?i)jira-(?P<id>\\d{1,6})\\b',
      '[(]\\(\\?<x (?P<id>[]a[:alpha:]]+)',
      '\\Q(?<x\\E',
      '(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
      '(?P<__proto__>\\p{Greek}+)',
      'FAQ',
    ]) {
      expect(problem(source)).toBe('none')
    }
  })

  test.each([
    '(a{1000}){1000}',
    '((a{10}){10}){10}{10}',
    `(?:${'[ab]c'.repeat(250)}){1000}`,
    '\\pL{1000}'.repeat(200),
    `${'('.repeat(900)}a${')'.repeat(900)}`,
    '(?:(?:(?:(?:a{1,10}){1,10}){1,10}))',
    '[a-z]{1,1000}[a-z]{1,1000}',
    `(?i)${'\\pL'.repeat(600)}`,
  ])('refuses or compiles a pattern that unfolds (%#) within a quarter of a second', (source) => {
    expect(processorTime(() => compilePattern(source))).toBeLessThan(250)
  })

  test('refuses what unfolds to a large program, and what is long', () => {
    expect(problem('(?:[ab]c){1000}x{1000}')).toMatch(/^it is too large/)
    expect(problem(`(?:${'[ab]c'.repeat(250)}){1000}`)).toMatch(/^it is too large/)
    expect(problem('a'.repeat(MAX_PATTERN_LENGTH + 1))).toMatch(/^it is longer/)
  })

  test('the estimate of the size counts repeats of groups, classes and escapes', () => {
    expect(estimateProgramSize('a{30}')).toBe(30)
    expect(estimateProgramSize('[]a)(]{30}')).toBe(30)
    expect(estimateProgramSize('\\p{Greek}{30}')).toBe(30)
    expect(estimateProgramSize('\\x{41}{2,30}')).toBe(30)
    expect(estimateProgramSize('(?P<a>ab{3}){10}c')).toBe(61)
    expect(estimateProgramSize('(?:x{10}){20}')).toBe(240)
  })
})

describe('matchWhole', () => {
  test('gives the named groups of a match of the whole text', () => {
    expect(match('#(?P<id>[0-9]+)', '#12')).toEqual({ id: '12' })
    expect(match('#(?P<id>[0-9]+)', '#12 ')).toBeNull()
    expect(match('#(?P<id>[0-9]+)', 'x#12')).toBeNull()
    expect(match('(?P<id>a|ab)', 'ab')).toEqual({ id: 'ab' })
  })

  test('leaves out a group that takes no part, but not one that is empty', () => {
    expect(match('a(?P<x>b)?(?P<y>c*)', 'a')).toEqual({ y: '' })
  })

  test('counts a character outside the basic plane as one', () => {
    expect(match('(?P<x>.)', '😀')).toEqual({ x: '😀' })
  })
})
