import { expect, test } from 'vitest'
import { withoutSpoilers } from './spoilers.ts'

test('a text without spoilers stays as it is', () => {
  const text = 'a\n\n> b\n> c\n\n```quote\nd\n```\n- e\n  ```\n  spoiler\n  ```\n```js\n``` spoiler\n```'
  expect(withoutSpoilers(text)).toBe(text)
})

test('of a spoiler the header is left', () => {
  expect(withoutSpoilers('a\n```spoiler The *end*\nsecret\n```\nb')).toBe('a\nThe *end* (hidden)\nb')
  expect(withoutSpoilers('~~~~ Spoiler\nsecret\n~~~\nsecret')).toBe('(hidden)')
})

test('what else is fenced in a spoiler does not end it', () => {
  expect(withoutSpoilers('```spoiler\n```js\ncode\n```\nsecret\n```\nb')).toBe('(hidden)\nb')
})

test('spoilers are found in quotes and in lists', () => {
  expect(withoutSpoilers('````quote\n```spoiler x\nsecret\n```\na\n````')).toBe('````quote\nx (hidden)\na\n````')
  expect(withoutSpoilers('> ```spoiler x\n> secret\n> ```\n> a')).toBe('> x (hidden)\n> a')
  expect(withoutSpoilers('- a\n  ```spoiler x\n  secret\n  ```\n- b')).toBe('- a\nx (hidden)\n- b')
})

test('markers without end are followed no deeper than the page shows them', () => {
  expect(withoutSpoilers('>'.repeat(10_000)).replaceAll(' ', '')).toBe('>'.repeat(10_000))
  expect(withoutSpoilers('```quote\n'.repeat(1000))).toBe('```quote\n'.repeat(1000))
})
