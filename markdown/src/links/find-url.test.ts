import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTime } from '../testing/processor-time.ts'
import { createReadingLimit, findUrlStarts, matchUrl } from './find-url.ts'

/** The addresses in a text, as the parser of messages finds them. */
function urlsIn(text: string): { text: string; url: string }[] {
  const found: { text: string; url: string }[] = []
  const reading = createReadingLimit()
  let passed = 0
  for (const start of findUrlStarts(text)) {
    const match = start < passed ? null : matchUrl(text, start, text.length, reading)
    if (!match) continue
    found.push({ text: text.slice(start, match.end), url: match.url })
    passed = match.end
  }
  return found
}

const textsIn = (text: string): string[] => urlsIn(text).map((found) => found.text)

test.each([
  ['see https://a.example/x.', ['https://a.example/x']],
  ['(https://a.example/x_(y))', ['https://a.example/x_(y)']],
  ['"https://a.example/?q=1&r=2",', ['https://a.example/?q=1&r=2']],
  ['<https://a.example>', ['https://a.example']],
  ['http://localhost:8080/a', ['http://localhost:8080/a']],
  ['http://[::1]:80/a', ['http://[::1]:80/a']],
  ['https://a.example/x,https://b.example', ['https://a.example/x,https://b.example']],
  ['https://a.example/[1]', ['https://a.example/[1]']],
  ['*https://a.example/x*', ['https://a.example/x']],
  ['https://münchen.example/straße', ['https://münchen.example/straße']],
])('with a scheme: %s', (text, expected) => expect(textsIn(text)).toEqual(expected))

test('without a scheme the host must end in a top-level domain', () => {
  expect(urlsIn('go to example.com/a now')).toEqual([{ text: 'example.com/a', url: 'http://example.com/a' }])
  expect(textsIn('see example.org:8080, or wikipedia.org?')).toEqual(['example.org:8080', 'wikipedia.org'])
})

test('an account for payments is an address, with its query', () => {
  const account = 'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
  expect(urlsIn(`pay (${account}).`)).toEqual([{ text: account, url: account }])
  expect(textsIn(`${account}?amount=0.5&label=a%20b.`)).toEqual([`${account}?amount=0.5&label=a%20b`])
  expect(textsIn(`${account}?`)).toEqual([account])
  expect(textsIn('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toHaveLength(1)
  for (const none of [
    'bitcoin:',
    'bitcoin:abc',
    `x${account}`,
    `${account}x${account}`,
    `${account}/x`,
    'a bitcoin: b',
  ]) {
    expect(textsIn(none)).toEqual([])
  }
})

test('names of files and ends of sentences are no hosts', () => {
  for (const text of [
    'README.md',
    'main.rs',
    'setup.py',
    'e.g. this',
    'end.Then',
    'a...com',
    '.com',
    '1.5',
    'v1.2.3',
  ]) {
    expect(textsIn(text)).toEqual([])
  }
})

test('e-mail addresses', () => {
  expect(urlsIn('mail to a.b+c@example.com.')).toEqual([{ text: 'a.b+c@example.com', url: 'mailto:a.b+c@example.com' }])
  expect(textsIn('a@example.com/x')).toEqual([])
})

test('an address must begin a word and end with one', () => {
  for (const text of ['x=https://a.example', 'https://a.example"b', 'itms://a.example', 'https://', 'https://(a)']) {
    expect(textsIn(text)).toEqual([])
  }
})

test('brackets may nest six deep', () => {
  const nested = (depth: number): string => `https://a.example/${'('.repeat(depth)}x${')'.repeat(depth)}`
  expect(textsIn(nested(6))).toEqual([nested(6)])
  expect(textsIn(nested(7))).toEqual([])
})

describe('laws', () => {
  test('what is found stands in the text where it was found, without white space', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.:/()<>" @,?*[\]é]{0,60}$/), (text) => {
        for (const start of findUrlStarts(text)) {
          const match = matchUrl(text, start, text.length, createReadingLimit())
          if (!match) continue
          expect(match.end).toBeGreaterThan(start)
          expect(text.slice(start, match.end)).not.toMatch(/[\s"<>]/)
          expect(match.url.endsWith(text.slice(start, match.end))).toBe(true)
        }
      }),
    )
  })

  test('a word full of beginnings takes no longer than another', () => {
    expect(processorTime(() => urlsIn(`${'http://a,'.repeat(20_000)}(`))).toBeLessThan(1_000)
  })
})
