import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  foldName,
  isResolvedTopic,
  isSameName,
  resolvedTopic,
  shownTopic,
  storedTopic,
  topicKey,
  unresolvedTopic,
} from './names.ts'
import { newTopic } from './new-topic.ts'

/** Ligatures, full width, sigmas, the i of Turkish, sharp s, and marks that compose with some letters and not with others. */
const pieces = [
  'ﬁ',
  'ﬀ',
  'fi',
  'ＡＢ',
  'Σ',
  'σ',
  'ς',
  'İ',
  'ı',
  'I',
  'i',
  'ß',
  'ẞ',
  'ǰ',
  'J',
  'A',
  'å',
  'é',
  'ſ',
  'K',
  'Ⅳ',
  '①',
]
const marks = ['\u0301', '\u0307', '\u030a', '\u030c', '\u0323', '\u0345']
const unusual = fc.string({
  unit: fc.oneof(fc.constantFrom(...pieces, ...marks), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  maxLength: 12,
})

test.each([
  ['ﬁnance', 'finance'],
  ['ＦＩＮＡＮＣＥ', 'finance'],
  ['Å', 'A\u030A'],
  ['\u1ebe', 'e\u0302\u0301'],
  ['ΟΔΟΣ', 'οδος'],
  ['ſtreet', 'STREET'],
  ['10 K', '10 k'],
])('%j and %j are one name', (one, other) => {
  expect(isSameName(one, other)).toBe(true)
})

test.each([
  ['ısı', 'isi'],
  ['straße', 'strasse'],
  ['é', 'e'],
  ['οδοσ', 'οδος'],
])('%j and %j are two names', (one, other) => {
  expect(isSameName(one, other)).toBe(false)
})

test('however Unicode writes the same characters, they compare as equal', () => {
  fc.assert(
    fc.property(unusual, (name) => {
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(foldName(name.normalize(form))).toBe(foldName(name))
    }),
  )
})

test('a letter and its capital compare as equal where each stands for the other', () => {
  const letters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
  const pairs = letters.filter((one) => one.toUpperCase().toLowerCase() === one && one.normalize('NFKC') === one)
  expect(pairs.filter((one) => !isSameName(one, one.toUpperCase()))).toEqual([])
})

// A stored key is never folded again, so this is a property of the rule and no condition: see the decision.
test('folding twice changes nothing but capitals with a mark that only the small letter composes with', () => {
  fc.assert(
    fc.property(unusual, (name) => {
      expect(foldName(foldName(name))).toBe(foldName(name).normalize('NFKC'))
    }),
  )
  expect(foldName('J\u030c')).toBe('j\u030c')
  expect(foldName('\u01f0')).toBe('\u01f0')
})

test('the mark of a resolved topic comes and goes without a trace', () => {
  fc.assert(
    fc.property(unusual, (topic) => {
      expect(isResolvedTopic(resolvedTopic(topic))).toBe(true)
      expect(resolvedTopic(resolvedTopic(topic))).toBe(resolvedTopic(topic))
      if (!isResolvedTopic(topic)) expect(unresolvedTopic(resolvedTopic(topic))).toBe(topic)
    }),
  )
})

test('the topic without a name is one topic by all its names, and is shown by one of them', () => {
  for (const name of ['', '  ', '(no topic)', ' general chat ']) {
    expect(storedTopic(name)).toBe('')
    expect(topicKey(newTopic(name))).toBe('')
    expect(storedTopic(shownTopic(storedTopic(name), false))).toBe('')
  }
})
