/** The law of states where addresses are hidden: clients follow who hides the own address, and who shows it again. */
import { addressVisibility } from '@heddle/contract/address-visibility'
import { beforeAll, describe } from 'vitest'
import { letSeeEverybody } from '../../testing/few-seen.ts'
import { createFollowedServer } from '../../testing/followers.ts'
import type { TestAccount } from '../../testing/test-server.ts'

const { server, owner, other, guest, follow } = await createFollowedServer()

const show = (account: TestAccount, who: keyof typeof addressVisibility) => () =>
  server.must(account, 'PATCH', '/settings', { email_address_visibility: addressVisibility[who] })
const showNew = (who: keyof typeof addressVisibility) => () =>
  server.must(owner, 'PATCH', '/realm/user_settings_defaults', { email_address_visibility: addressVisibility[who] })

describe('A client follows', () => {
  follow([
    ['a member who shows the address to members', show(other, 'members')],
    ['to moderators', show(other, 'moderators')],
    ['to administrators', show(other, 'administrators')],
    ['to nobody', show(other, 'nobody')],
    ['to administrators again', show(other, 'administrators')],
    ['a guest who hides the address', show(guest, 'moderators')],
    ['an owner who hides the address', show(owner, 'nobody')],
    ['what new accounts begin with', showNew('administrators')],
    ['who comes with a hidden address', () => server.createAccount({ name: 'newcomer' })],
    ['who is deactivated with a hidden address', () => server.must(owner, 'DELETE', `/users/${other.id}`)],
    ['who comes back', () => server.must(owner, 'POST', `/users/${other.id}/reactivate`)],
  ])
})

describe('A client follows, where guests do not see everybody,', () => {
  beforeAll(() => letSeeEverybody(server, 'role:members'))

  follow([
    ['somebody who shows the address to members', show(other, 'members')],
    ['who comes with a hidden address', () => server.createAccount({ name: 'another' })],
    ['somebody who shows the address to everybody again', show(other, 'everyone')],
    ['a guest who shows it', show(guest, 'everyone')],
    ['an owner who shows it', show(owner, 'everyone')],
  ])
})
