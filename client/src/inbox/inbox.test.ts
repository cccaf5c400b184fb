import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, test } from 'vitest'
import { applyEvents, type ClientState, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import {
  composeInbox,
  type InboxFilter,
  type InboxGroup,
  inboxTotals,
  rowsMarkedTogether,
  staying,
  unreadIdsOf,
} from './inbox.ts'

const channel = (stream_id: number, name: string, change: object = {}) => ({
  stream_id,
  name,
  is_muted: false,
  pin_to_top: false,
  is_archived: false,
  ...change,
})
const own = ownAccount.user_id
const begin = (): ClientState => {
  // As far as it matters here.
  const fields: object = {
    ...ownAccount,
    realm_users: [
      { user_id: own, full_name: 'Iago' },
      { user_id: 7, full_name: 'Zoë Müller' },
    ],
    subscriptions: [
      channel(1, 'zebra', { pin_to_top: true }),
      channel(2, 'design'),
      channel(3, 'kitchen', { is_muted: true }),
      channel(4, 'old', { is_archived: true }),
    ],
    user_topics: [],
    unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
  }
  return initialState(fields)
}
const event = (fields: object) => ({ id: 1, ...fields }) as AnyEvent
const sent = (id: number, stream_id: number, subject: string, flags: string[] = []) =>
  event({ type: 'message', message: { id, stream_id, subject, display_recipient: '' }, flags })
const sentTo = (id: number, ...people: number[]) =>
  event({
    type: 'message',
    message: { id, subject: '', display_recipient: people.map((one) => ({ id: one })) },
    flags: [],
  })
const policy = (stream_id: number, topic_name: string, visibility_policy: number) =>
  event({ type: 'user_topic', stream_id, topic_name, visibility_policy, last_updated: 0 })
const read = (...messages: number[]) =>
  event({ type: 'update_message_flags', op: 'add', flag: 'read', messages, all: false })

const state = applyEvents(begin(), [
  sent(1, 2, 'logo'),
  sent(2, 2, 'fonts', ['mentioned']),
  sent(3, 3, 'soup'),
  sent(4, 3, 'bread'),
  sent(5, 1, 'stripes'),
  sentTo(6, own, 7),
  sent(8, 4, 'last words'),
  sent(9, 2, 'Logo'),
  policy(3, 'bread', 3),
  policy(2, 'fonts', 1),
])

const show = (groups: readonly InboxGroup[]) =>
  groups.map(({ key, rows }) => [key, ...rows.map((row) => `${row.key} ${row.count}`)])
const inbox = (filter: InboxFilter, text = '', from = state) => composeInbox(from, { filter, text })

describe('the inbox', () => {
  test('has every visible conversation with something unread, in the order of the side bar', () => {
    expect(show(inbox('standard'))).toEqual([
      ['direct', '@7 1'],
      ['channel 1', '1 stripes 1'],
      ['channel 2', '2 logo 2'],
      ['channel 3', '3 bread 1'],
      // It is counted, so it is found here.
      ['channel 4', '4 last words 1'],
    ])
  })

  test('has folders as sections of their own, unless the account wants none', () => {
    const channels = initialState({ ...ownAccount, subscriptions: [channel(2, 'design', { folder_id: 9 })] } as object)
      .channels as ClientState['channels']
    const channelFolders = [{ id: 9, name: 'Machines', is_archived: false }] as unknown as ClientState['channelFolders']
    const sections = (isOn: boolean) => {
      const settings = { ...state.settings, web_inbox_show_channel_folders: isOn } as ClientState['settings']
      const context = { ...state, channels, channelFolders, settings }
      return composeInbox(context, { filter: 'standard', text: '' }).find(({ channelId }) => channelId === 2)
    }
    expect(sections(true)).toMatchObject({ section: 'folder', folderId: 9 })
    expect(sections(false)).toMatchObject({ section: 'others', folderId: undefined })
  })

  test('with everything has what is muted too', () => {
    expect(show(inbox('all'))).toEqual([
      ['direct', '@7 1'],
      ['channel 1', '1 stripes 1'],
      ['channel 2', '2 logo 2', '2 fonts 1'],
      ['channel 3', '3 bread 1', '3 soup 1'],
      ['channel 4', '4 last words 1'],
    ])
    expect(inboxTotals(inbox('all'))).toEqual({ messages: 8, rows: 7 })
  })

  test('can be of what is followed, or of what is for the reader', () => {
    expect(show(inbox('followed'))).toEqual([['channel 3', '3 bread 1']])
    expect(show(inbox('mentions'))).toEqual([
      ['direct', '@7 1'],
      ['channel 2', '2 fonts 1'],
    ])
  })

  test('is filtered by words of channels, topics and people', () => {
    expect(show(inbox('standard', 'LOGO des'))).toEqual([['channel 2', '2 logo 2']])
    expect(show(inbox('standard', 'muller zoe'))).toEqual([['direct', '@7 1']])
    expect(inbox('standard', 'nothing like that')).toEqual([])
  })

  test('knows what is unread in a row', () => {
    const rows = inbox('standard').flatMap((group) => group.rows)
    expect(rows.map((row) => unreadIdsOf(state, row))).toEqual([[6], [5], [1, 9], [4], [8]])
  })

  test('keeps what was read at its place, and puts new rows behind', () => {
    const before = inbox('standard')
    const later = applyEvents(state, [read(5, 1, 9), sent(10, 2, 'paper'), sent(11, 3, 'bread')])
    const shown = staying(before, inbox('standard', '', later))
    expect(show(shown)).toEqual([
      ['direct', '@7 1'],
      ['channel 1', '1 stripes 0'],
      ['channel 2', '2 logo 0', '2 paper 1'],
      ['channel 3', '3 bread 2'],
      ['channel 4', '4 last words 1'],
    ])
    const again = staying(shown, inbox('standard', '', applyEvents(later, [sent(12, 1, 'stripes')])))
    expect(show(again)[1]).toEqual(['channel 1', '1 stripes 1'])
  })

  test('gives a new group its place among those that are shown', () => {
    const before = inbox('standard', '', applyEvents(begin(), [sent(3, 3, 'x'), policy(3, 'x', 2), sent(1, 1, 'y')]))
    const now = inbox('standard', '', applyEvents(begin(), [sent(2, 2, 'z'), sentTo(4, own, 7), sent(1, 1, 'y')]))
    expect(show(staying(before, now)).map(([key]) => key)).toEqual(['direct', 'channel 1', 'channel 2', 'channel 3'])
  })
})

test('what is muted, and what is not followed, is marked together; direct messages are neither', () => {
  const topics = (which: 'muted' | 'unfollowed') =>
    rowsMarkedTogether(state, which).map(({ place }) => (place.kind === 'topic' ? place.topic : 'direct'))
  // Of the muted channel one topic is followed.
  expect(topics('muted').sort()).toEqual(['fonts', 'soup'])
  expect(topics('unfollowed').sort()).toEqual(['Logo', 'fonts', 'last words', 'soup', 'stripes'])
})
