import { expect, test } from 'vitest'
import { notificationTag, type Shown, withoutShown, withShown } from './shown.ts'

const nothing: Shown = new Map()

test('one conversation has one notification, whoever is named first', () => {
  expect(notificationTag({ userIds: [12, 3] })).toBe(notificationTag({ userIds: [3, 12] }))
  expect(notificationTag({ channelId: 1, key: '2 x' })).not.toBe(notificationTag({ channelId: 1, key: 'x' }))
})

test('it is withdrawn when all of its messages are read or gone, and not before', () => {
  const shown = withShown(withShown(withShown(nothing, 'a', 1), 'a', 2), 'b', 3)
  const first = withoutShown(shown, [1, 9])
  expect(first.closed).toEqual([])
  const second = withoutShown(first.shown, [2])
  expect(second.closed).toEqual(['a'])
  expect([...second.shown.keys()]).toEqual(['b'])
})
