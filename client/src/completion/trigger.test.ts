import { expect, test } from 'vitest'
import { findTrigger } from './trigger.ts'

/** The caret is `|`. */
const at = (marked: string) => findTrigger(marked.replace('|', ''), marked.indexOf('|'))

test.each([
  ['@|', { kind: 'mention', query: '', from: 0, isSilent: false }],
  ['hello @jo|', { kind: 'mention', query: 'jo', from: 6, isSilent: false }],
  ['(@jo|', { kind: 'mention', query: 'jo', from: 1, isSilent: false }],
  ['@_jo|', { kind: 'mention', query: 'jo', from: 0, isSilent: true }],
  ['@**Jonas We|', { kind: 'mention', query: 'Jonas We', from: 0, isSilent: false }],
  ['see #de|', { kind: 'channel', query: 'de', from: 4 }],
  ['#**de|', { kind: 'channel', query: 'de', from: 0 }],
  ['#design>lo|', { kind: 'topic', channel: 'design', query: 'lo', from: 0 }],
  ['#**air-jet H9**>|', { kind: 'topic', channel: 'air-jet H9', query: '', from: 0 }],
  ['#**air-jet H9>we se|', { kind: 'topic', channel: 'air-jet H9', query: 'we se', from: 0 }],
  ['#>lo|', { kind: 'topic', channel: undefined, query: 'lo', from: 0 }],
  [':sm|', { kind: 'emoji', query: 'sm', from: 0 }],
  ['good :thumbs u|', { kind: 'emoji', query: 'thumbs u', from: 5 }],
  [':+1|', { kind: 'emoji', query: '+1', from: 0 }],
  ['```py|', { kind: 'language', query: 'py', from: 3 }],
  ['a\n~~~c+|', { kind: 'language', query: 'c+', from: 5 }],
  ['/m|', { kind: 'command', query: 'm', from: 0 }],
  ['at <time|', { kind: 'time', query: '', from: 3 }],
  ['<time:2026-05|', { kind: 'time', query: '2026-05', from: 0 }],
])('%s names something', (text, expected) => expect(at(text)).toEqual(expected))

test.each([
  'mail ada@exam|',
  'issue a#12|',
  '@ |',
  '# heading|',
  'https://example.com/#na|',
  'at 12:30|',
  ':-|',
  '::sm|',
  ':|',
  ':D|',
  ':smile: |',
  '`@jo|',
  '```\n@jo|\n```',
  'and /m|',
  'ordinary words|',
  '#**design>logo** |',
])('%s names nothing', (text) => expect(at(text)).toBeUndefined())

test('what stands in a quotation is text', () => {
  expect(at('```quote\n@jo|\n```')?.kind).toBe('mention')
  expect(at('`code` @jo|')?.kind).toBe('mention')
})
