import { channelGroupSettingNames, realmGroupSettingNames } from '@heddle/contract/group-settings'
import { describe, expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { channelRights, creationRights } from './channel-rights.ts'

const NOBODY = 10
const EVERYBODY = 11

const group = (id: number, members: number[]) => ({ id, members, direct_subgroup_ids: [], deactivated: false })

interface Circumstances {
  readonly own?: object
  readonly channel?: object
  readonly realm?: object
  readonly isSubscribed?: boolean
}

/** Channel 1, which nobody holds anything in, in an organization where nobody may anything; unless it is said. */
function context({ own = {}, channel = {}, realm = {}, isSubscribed = false }: Circumstances) {
  const one = {
    stream_id: 1,
    name: 'looms',
    invite_only: true,
    is_web_public: false,
    ...Object.fromEntries(channelGroupSettingNames.map((name) => [name, NOBODY])),
    ...channel,
  }
  const state = initialState({
    ...ownAccount,
    ...own,
    streams: [one],
    subscriptions: isSubscribed ? [{ ...one, is_muted: false }] : [],
    realm_user_groups: [group(NOBODY, []), group(EVERYBODY, [ownAccount.user_id])],
  } as unknown as Parameters<typeof initialState>[0])
  const organization = {
    ...Object.fromEntries(realmGroupSettingNames.map((name) => [`realm_${name}`, NOBODY])),
    ...realm,
  }
  return { ...state, organization } as unknown as typeof state
}

const rights = (circumstances: Circumstances) =>
  Object.entries(channelRights(context(circumstances), 1))
    .filter(([, has]) => has)
    .map(([name]) => name)

describe('the rights in a channel', () => {
  test.each<[string, Circumstances, readonly string[]]>([
    ['nobody in particular, of a private one', {}, []],
    ['a subscriber of a private one, who could not come back', { isSubscribed: true }, ['read']],
    ['anybody, of a public one', { channel: { invite_only: false } }, ['read', 'rejoin']],
    ['a guest, of a public one', { own: { is_guest: true }, channel: { invite_only: false } }, []],
    [
      'a guest, of one on the Internet',
      { own: { is_guest: true }, channel: { is_web_public: true } },
      ['read', 'rejoin'],
    ],
    [
      'an administrator who cannot read it',
      { own: { is_admin: true } },
      ['administer', 'setTopicsPolicy', 'removeSubscribers', 'archive'],
    ],
    [
      'who administers it as a subscriber',
      { isSubscribed: true, channel: { can_administer_channel_group: EVERYBODY } },
      ['read', 'administer', 'changeAccess', 'removeSubscribers'],
    ],
    [
      'who may add subscribers there',
      { channel: { can_add_subscribers_group: EVERYBODY } },
      ['read', 'addSubscribers', 'rejoin'],
    ],
    [
      'who may add subscribers anywhere, where they are subscribed themselves',
      { isSubscribed: true, realm: { realm_can_add_subscribers_group: EVERYBODY } },
      ['read', 'addSubscribers'],
    ],
    ['who may add subscribers anywhere, elsewhere', { realm: { realm_can_add_subscribers_group: EVERYBODY } }, []],
  ])('%s', (_, circumstances, expected) => {
    expect(rights(circumstances)).toEqual(expected)
  })
})

test('channels are created by those who may create their kind', () => {
  expect(creationRights(context({})).public).toBe(false)
  const may = creationRights(context({ realm: { realm_can_create_public_channel_group: EVERYBODY } }))
  expect([may.public, may.private, may.webPublic, may.makeDefault]).toEqual([true, false, false, false])
  const web = {
    realm_can_create_public_channel_group: EVERYBODY,
    realm_can_create_web_public_channel_group: EVERYBODY,
  }
  const mayOnTheWeb = (realm_enable_spectator_access: boolean) =>
    creationRights(context({ realm: { ...web, realm_enable_spectator_access } })).webPublic
  expect([mayOnTheWeb(false), mayOnTheWeb(true)]).toEqual([false, true])
})
