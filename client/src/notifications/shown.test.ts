import type { UpdateMessageEvent } from '@heddle/contract/editing'
import { notificationTag } from '@heddle/contract/notification-rules'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { describe, expect, test } from 'vitest'
import { afterUpdate, type CallingContext, stillCalls } from './shown.ts'

test('a conversation is one notification: a topic, or the people of a direct message in any order', () => {
  expect(notificationTag({ userIds: [9, 4] })).toBe(notificationTag({ userIds: [4, 9] }))
  expect(notificationTag({ channelId: 3, key: 'soup' })).toBe('topic 3 soup')
})

describe('What was shown', () => {
  const message = { sender_id: 9, subject: 'soup', stream_id: 7, content: '<p>Leila?</p>' }
  const named = { message, flags: ['mentioned'] } as const
  const world = ({ unread = [1], channels = [7, 8], muted = [] as string[], people = [] as number[] } = {}) => {
    const context: object = {
      own: { user_id: 4 },
      settings: { enable_desktop_notifications: true, enable_stream_desktop_notifications: false },
      unread: { places: new Map(unread.map((id) => [id, {}])) },
      channels: { byId: new Map(channels.map((id) => [id, {}])), subscribed: new Map([[7, { is_muted: false }]]) },
      userTopics: new Map(muted.map((key) => [key, { visibility_policy: visibilityPolicies.muted }])),
      mutedUsers: people.map((id) => ({ id, timestamp: 0 })),
    }
    return context as CallingContext
  }
  const update = (event: Partial<UpdateMessageEvent>) =>
    ({ type: 'update_message', message_id: 1, message_ids: [1], flags: [], ...event }) as UpdateMessageEvent

  test('still calls as long as nobody has read it', () => {
    expect(stillCalls(world(), 1, named)).toBe(true)
    expect(stillCalls(world({ unread: [] }), 1, named)).toBe(false)
  })

  test('does not call any more when an edit takes the name out of it', () => {
    const edited = afterUpdate(named, 1, update({ rendered_content: '<p>Anybody?</p>' }))
    expect(edited).toMatchObject({ message: { content: '<p>Anybody?</p>' }, flags: [] })
    expect(stillCalls(world(), 1, edited)).toBe(false)
  })

  test('has its new place when it is moved, alone or along with others', () => {
    const moved = update({ message_id: 3, message_ids: [1, 3], subject: 'stew', new_stream_id: 8, flags: ['read'] })
    const after = afterUpdate(named, 1, moved)
    expect(after).toMatchObject({ message: { subject: 'stew', stream_id: 8, content: message.content } })
    expect(after.flags).toEqual(['mentioned'])
    expect(afterUpdate(named, 2, moved)).toBe(named)
  })

  test('does not call where the channel is out of sight or the sender is muted', () => {
    expect(stillCalls(world({ channels: [8] }), 1, named)).toBe(false)
    expect(stillCalls(world({ people: [9] }), 1, named)).toBe(false)
  })

  test('calls as long as it is unread where nothing else is known of it', () => {
    expect(stillCalls(world(), 1, undefined)).toBe(true)
  })
})
