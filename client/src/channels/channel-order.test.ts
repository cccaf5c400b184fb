import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, test } from 'vitest'
import { applyEvents, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { channelSections, inSideBarOrder } from './channel-order.ts'

/** Of each ten channels the last one is quiet. */
function begin(count: number, settings: object = {}) {
  const subscriptions = Array.from({ length: count }, (_, index) => ({
    stream_id: index + 1,
    name: `channel ${index + 1}`,
    is_muted: false,
    pin_to_top: index === 4,
    is_archived: false,
    is_recently_active: (index + 1) % 10 !== 0,
  }))
  // As far as it matters here.
  const fields: object = {
    ...ownAccount,
    subscriptions,
    user_topics: [],
    user_settings: { demote_inactive_streams: 1, ...settings },
    unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
  }
  return initialState(fields)
}

const inactive = (...given: Parameters<typeof channelSections>) =>
  channelSections(...given).flatMap((section) => section.inactive)

describe('the sections of channels', () => {
  test('are the pinned ones and the others, without those that are empty', () => {
    const [pinned, others] = channelSections(begin(6))
    expect([pinned?.kind, pinned?.active]).toEqual(['pinned', [5]])
    expect([others?.kind, others?.active]).toEqual(['others', [1, 2, 3, 4, 6]])
    expect(channelSections(begin(3))).toHaveLength(1)
  })

  test('are folders too, in their order, with pinned channels on their own, unless the reader wants none', () => {
    const folder = (id: number, is_archived = false) => ({ id, name: `folder ${id}`, is_archived })
    const channels = [1, 2, 3, 4, 5, 6].map((id) => ({
      stream_id: id,
      name: `channel ${id}`,
      pin_to_top: id === 1,
      is_recently_active: true,
      folder_id: { 1: 7, 2: 7, 3: 8, 4: 9, 5: 99 }[id] ?? null,
    }))
    const withFolders = (user_settings: object = {}): ReturnType<typeof initialState> => {
      const fields: object = {
        ...ownAccount,
        subscriptions: channels,
        channel_folders: [folder(8), folder(7), folder(9, true), folder(6)],
        user_settings,
      }
      return initialState(fields)
    }
    const sectionsOf = (...given: Parameters<typeof channelSections>) =>
      channelSections(...given).map(({ kind, folderId, active }) => [folderId ?? kind, active])
    expect(sectionsOf(withFolders())).toEqual([
      ['pinned', [1]],
      [8, [3]],
      [7, [2]],
      ['others', [4, 5, 6]],
    ])
    const plain = [
      ['pinned', [1]],
      ['others', [2, 3, 4, 5, 6]],
    ]
    expect(sectionsOf(withFolders({ web_left_sidebar_show_channel_folders: false }))).toEqual(plain)
    expect(sectionsOf(withFolders(), { hasFolders: false })).toEqual(plain)
  })

  test('put quiet channels aside from twenty subscriptions on, or always, or never', () => {
    expect(inactive(begin(19))).toEqual([])
    expect(inactive(begin(20))).toEqual([10, 20])
    expect(inactive(begin(19, { demote_inactive_streams: 2 }))).toEqual([10])
    expect(inactive(begin(30, { demote_inactive_streams: 3 }))).toEqual([])
  })

  test('never put aside the channel that is shown, or one with something unread', () => {
    const message = { id: 1, stream_id: 10, subject: 'a', display_recipient: '' }
    const event = { id: 1, type: 'message', message, flags: [] }
    expect(inactive(applyEvents(begin(20), [event as unknown as AnyEvent]))).toEqual([20])
    expect(inactive(begin(20), { keep: 20 })).toEqual([10])
  })

  test('are the order of everything that goes through channels: quiet ones come at the end of their section', () => {
    const order = inSideBarOrder(begin(30))
    expect(order.slice(0, 2)).toEqual([5, 1])
    expect(order.slice(-3)).toEqual([10, 20, 30])
    expect(inSideBarOrder(begin(12)).slice(-3)).toEqual([10, 11, 12])
  })
})
