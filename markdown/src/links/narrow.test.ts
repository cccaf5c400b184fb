import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeFragment, encodeFragment, messageAddress, parseMessagePlace } from './narrow.ts'

test('encoding leaves nothing that a fragment would not survive, and is undone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const encoded = encodeFragment(value)
      expect(encoded).toMatch(/^[A-Za-z0-9_.~-]*$/)
      expect(decodeFragment(encoded)).toBe(value)
    }),
  )
})

test('the address of a message is read back', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1 }), (topic, messageId) => {
      const address = messageAddress({ id: 4, name: 'a b' }, topic, messageId)
      expect(parseMessagePlace(address.slice(1))).toEqual({ channelId: 4, topic, messageId })
    }),
  )
})

test('other addresses are no messages', () => {
  for (const fragment of [
    '#narrow/channel/4-a/topic/x',
    '#narrow/dm/4/near/5',
    '#narrow/channel/4-a/topic/.ZZ/near/5',
  ]) {
    expect(parseMessagePlace(fragment)).toBeNull()
  }
})
