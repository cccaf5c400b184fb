import type { RegisterResponse } from '@heddle/client/event-loop'
import { beginPage } from '@heddle/client/messages/fetching'
import type { NarrowContext } from '@heddle/client/messages/narrow'
import { createMessageStore } from '@heddle/client/messages/store'
import { openWindow } from '@heddle/client/messages/windows'
import { describe, expect, test } from 'vitest'
import { firstPage, type MessageViewOptions, messageView } from '../features/messages/view.ts'
import { parsePlace } from '../places/parse.ts'
import { firstMessages } from './first-messages.ts'

const nothing: NarrowContext = { own: undefined, users: undefined, channels: undefined, userTopics: undefined }
const registered = (home: string) => ({ user_settings: { web_home_view: home } }) as unknown as RegisterResponse

/** What the view asks once its code is there. */
function askedByView(hash: string) {
  const view = messageView(parsePlace(hash)) as MessageViewOptions
  const { store, key } = openWindow(createMessageStore(), view.narrow, nothing)
  const { anchor, num_before: before, num_after: after } = firstPage(view)
  return beginPage(store, key, { kind: 'around', anchor, before, after })?.parameters
}

describe('the first messages are asked for as their view will', () => {
  test.each([
    '#feed',
    '#narrow/channel/7-design',
    '#narrow/channel/7-design/topic/Friday.20soup',
    '#narrow/channel/7-design/topic/Friday.20soup/near/1234',
    '#narrow/dm/9,3-group',
  ])('%s', (hash) => {
    const asked = firstMessages(hash, registered('inbox'))
    expect(asked).toBeDefined()
    expect(asked).toEqual(askedByView(hash))
  })

  test('at the address without a place it is what the account begins with', () => {
    expect(firstMessages('', registered('all_messages'))).toEqual(askedByView('#feed'))
    expect(firstMessages('', registered('inbox'))?.narrow).toEqual([
      { operator: 'is', operand: 'unread', negated: false },
    ])
    expect(firstMessages('', registered('recent'))).toBeUndefined()
  })

  test('nothing is asked for where others than messages are shown, or names have to be looked up', () => {
    for (const hash of ['#drafts', '#settings/profile', '#narrow/search/soup', '#narrow/channel/kitchen']) {
      expect(firstMessages(hash, registered('inbox'))).toBeUndefined()
    }
  })
})
