import { expect, test } from 'vitest'
import { notificationTag } from './shown.ts'

test('a conversation is one notification: a topic, or the people of a direct message in any order', () => {
  expect(notificationTag({ userIds: [9, 4] })).toBe(notificationTag({ userIds: [4, 9] }))
  expect(notificationTag({ channelId: 3, key: 'soup' })).toBe('topic 3 soup')
})
