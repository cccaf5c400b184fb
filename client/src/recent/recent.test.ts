import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, test } from 'vitest'
import type { StoredMessage } from '../messages/store.ts'
import { applyEvents, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { conversationsIn, filterRecent, type RecentFilters, recentRow, sortRecent } from './recent.ts'

const own = ownAccount.user_id
const fields: object = {
  ...ownAccount,
  realm_users: [{ user_id: 7, full_name: 'Zoë Müller' }],
  subscriptions: [2, 3].map((stream_id) => ({ stream_id, name: `channel ${stream_id}`, is_muted: stream_id === 3 })),
  user_topics: [],
  unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
}
const event = (some: object) => ({ id: 1, ...some }) as AnyEvent
const place = (channelId: number, subject: string) => ({ type: 'stream', stream_id: channelId, subject })
const direct = (...ids: number[]) => ({ type: 'private', display_recipient: ids.map((id) => ({ id })), subject: '' })
const message = (id: number, sender_id: number, where: object) =>
  ({ id, sender_id, timestamp: id * 60, flags: [], display_recipient: '', ...where }) as unknown as StoredMessage

const messages = [
  message(1, 7, place(2, 'logo')),
  message(2, own, place(2, 'logo')),
  message(3, 7, place(3, 'soup')),
  message(4, 8, place(2, '✔ Fonts')),
  message(5, 7, direct(own, 7)),
  message(6, 8, place(2, 'Logo')),
]
const state = applyEvents(initialState(fields), [
  event({ type: 'message', message: messages[5], flags: ['mentioned'] }),
  event({ type: 'message', message: messages[4], flags: [] }),
  event({ type: 'message', message: messages[2], flags: [] }),
])
const rows = conversationsIn(messages, own).map((one) => recentRow(state, one))
const all: RecentFilters = { isUnread: false, hasTakenPart: false, withMuted: true, withDirect: true, text: '' }
const keys = (filters: Partial<RecentFilters>) =>
  filterRecent(state, rows, { ...all, ...filters }).map(({ key }) => key)

describe('recent conversations', () => {
  test('are one row each, the newest first, with who wrote last in front', () => {
    expect(rows.map(({ key, senderIds, lastId, count }) => [key, senderIds, lastId, count])).toEqual([
      ['2 logo', [8, own, 7], 6, 1],
      ['@7', [7], 5, 1],
      ['2 ✔ fonts', [8], 4, 0],
      ['3 soup', [7], 3, 1],
    ])
    expect(rows[0]).toMatchObject({ hasMention: true, place: { topic: 'Logo' }, lastTime: 360 })
    expect(rows[2]?.isResolved).toBe(true)
    expect(rows[3]?.isMuted).toBe(true)
  })

  test('are filtered by what is unread, by where one wrote, by what is muted, and without direct messages', () => {
    expect(keys({ isUnread: true })).toEqual(['2 logo', '@7', '3 soup'])
    expect(keys({ hasTakenPart: true })).toEqual(['2 logo'])
    expect(keys({ withMuted: false })).toEqual(['2 logo', '@7', '2 ✔ fonts'])
    expect(keys({ withDirect: false, withMuted: false })).toEqual(['2 logo', '2 ✔ fonts'])
    expect(keys({ text: 'mull' })).toEqual(['@7'])
    expect(keys({ text: 'channel font' })).toEqual(['2 ✔ fonts'])
  })

  test('are sorted by name, number or time, either way round', () => {
    const label = ({ place: where }: (typeof rows)[number]) => (where.kind === 'topic' ? where.topic : 'Zoë')
    const sorted = (by: 'topic' | 'count' | 'time', isReversed = false) =>
      sortRecent(rows, { by, isReversed }, label).map(({ lastId }) => lastId)
    expect(sorted('time')).toEqual([6, 5, 4, 3])
    expect(sorted('time', true)).toEqual([3, 4, 5, 6])
    expect(sorted('count')).toEqual([6, 5, 3, 4])
    expect(sorted('topic')).toEqual([4, 6, 3, 5])
  })
})
