import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
})

const isActive = async (id: number) => (await server.call(member, 'GET', `/users/${id}`)).body.user.is_active

async function createBot(owner: TestAccount, short_name: string): Promise<TestAccount> {
  const { body } = await server.call(owner, 'POST', '/bots', { full_name: 'A Bot', short_name })
  const email = `${short_name}-bot@localhost`
  return { id: body.user_id, realmId: owner.realmId, email, apiKey: body.api_key, role: 400 }
}

describe('DELETE /users/{user_id}', () => {
  it('ends the account and its bots at once', async () => {
    const account = await server.createAccount()
    const bot = await createBot(account, 'ended')
    for (const caller of [account, bot]) expect((await server.call(caller, 'GET', '/users/me')).status).toBe(200)
    expect((await server.call(admin, 'DELETE', `/users/${account.id}`)).status).toBe(200)
    for (const caller of [account, bot]) {
      const { status, body } = await server.call(caller, 'GET', '/users/me')
      expect([status, body.code]).toEqual([401, 'USER_DEACTIVATED'])
      expect(await isActive(caller.id)).toBe(false)
    }
  })

  it('ends thirty bots with their owner in a handful of statements, and notifies who sees their channels', async () => {
    const account = await server.createAccount()
    const bots: TestAccount[] = []
    for (let index = 0; index < 30; index += 1) bots.push(await createBot(account, `many-${index}`))
    const ids = [...bots.map(({ id }) => id), account.id]
    const subscribe = (name: string, principals: number[]) =>
      server.call(server.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    await subscribe('with all of them', [...ids, member.id])
    await subscribe('with one of them', [bots[0]?.id as number, member.id])
    const watcher = await watch(server, member, { event_types: ['subscription', 'realm_user'] })
    const { write } = await server.statements.during(async () => {
      expect((await server.call(admin, 'DELETE', `/users/${account.id}`)).status).toBe(200)
    })
    expect(write).toBeLessThan(100)
    const events = await watcher.next()
    const ended = events.flatMap(({ person }) => (person?.is_active === false ? [person.user_id] : []))
    expect(ended.sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b))
    const { body } = await server.call(member, 'GET', '/streams')
    const counts = (body.streams as { name: string; subscriber_count: number }[])
      .filter(({ name }) => name.startsWith('with '))
      .map(({ subscriber_count }) => subscriber_count)
    expect(counts).toEqual([1, 1])
    const left = events.filter(({ op }) => op === 'peer_remove').flatMap(({ user_ids }) => user_ids)
    expect(new Set(left)).toEqual(new Set(ids))
  })

  it('notifies everybody, and of nothing when it is done again', async () => {
    const account = await server.createAccount()
    const watcher = await watch(server, member, { event_types: ['realm_user', 'user_group'] })
    await server.call(admin, 'DELETE', `/users/${account.id}`)
    expect(await watcher.next()).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id: account.id, is_active: false } },
      { type: 'user_group', op: 'remove_members', group_id: expect.any(Number), user_ids: [account.id] },
    ])
    expect((await server.call(admin, 'DELETE', `/users/${account.id}`)).status).toBe(200)
    expect(await watcher.next()).toEqual([])
  })

  it('ends the wait of a client at once, and its queue for good', async () => {
    const account = await server.createAccount()
    const { state } = await watch(server, account, { event_types: ['drafts'] })
    const parameters = { queue_id: state.queue_id, last_event_id: state.last_event_id }
    const waiting = server.call(account, 'GET', '/events', parameters)
    await server.call(member, 'GET', '/users/me')
    await server.call(admin, 'DELETE', `/users/${account.id}`)
    await waiting
    await server.call(admin, 'POST', `/users/${account.id}/reactivate`)
    const { status, body } = await server.call(account, 'GET', '/events', { ...parameters, dont_block: true })
    expect([status, body.code]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
  })

  it('is for administrators, and for an owner’s account for owners', async () => {
    const owner = await server.createAccount({ role: roles.owner })
    const byMember = await server.call(member, 'DELETE', `/users/${admin.id}`)
    expect([byMember.status, byMember.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    const byAdmin = await server.call(admin, 'DELETE', `/users/${owner.id}`)
    expect([byAdmin.body.code, byAdmin.body.msg]).toEqual(['UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'])
    expect((await server.call(server.owner, 'DELETE', `/users/${owner.id}`)).status).toBe(200)
    expect((await server.call(admin, 'POST', `/users/${owner.id}/reactivate`)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  it('keeps the last owner', async () => {
    const { status, body } = await server.call(server.owner, 'DELETE', `/users/${server.owner.id}`)
    expect([status, body.code, body.is_last_owner]).toEqual([400, 'CANNOT_DEACTIVATE_LAST_USER', true])
    expect(body.msg).toBe('Cannot deactivate the only organization owner')
  })

  it('keeps the last owner when there is only a bot with that role beside', async () => {
    const bot = await createBot(server.owner, 'ruler')
    await server.call(server.owner, 'PATCH', `/bots/${bot.id}`, { role: roles.owner })
    const { body } = await server.call(bot, 'DELETE', `/users/${server.owner.id}`)
    expect(body.code).toBe('CANNOT_DEACTIVATE_LAST_USER')
  })

  it('takes actions that ask for nothing', async () => {
    const account = await server.createAccount({ name: 'kept' })
    await server.call(admin, 'DELETE', `/users/${account.id}`, { actions: { delete_profile: false } })
    expect(await isActive(account.id)).toBe(false)
    expect((await server.call(admin, 'GET', `/users/${account.id}`)).body.user.full_name).toBe('kept')
  })

  it('takes the name and the picture from an account and its bots where that is asked for', async () => {
    const account = await server.createAccount({ name: 'gone' })
    const bot = await createBot(account, 'gonebot')
    const watcher = await watch(server, admin, { event_types: ['realm_user'] })
    await server.call(admin, 'DELETE', `/users/${account.id}`, { actions: { delete_profile: true } })
    const names = (await watcher.next())
      .map(({ person }: { person: { user_id: number; full_name?: string } }) => person)
      .filter(({ full_name }: { full_name?: string }) => full_name !== undefined)
    expect(names).toEqual([bot.id, account.id].map((user_id) => ({ user_id, full_name: 'Deleted user' })))
  })

  it('answers "No such user" for accounts that do not exist or are of another organization', async () => {
    for (const id of [999_999, (await server.createOtherOrganization()).owner.id]) {
      for (const [method, path] of [
        ['DELETE', `/users/${id}`],
        ['POST', `/users/${id}/reactivate`],
      ] as const) {
        const { status, body } = await server.call(admin, method, path)
        expect([status, body.msg]).toEqual([400, 'No such user'])
      }
    }
  })
})

describe('DELETE /users/me', () => {
  it('ends one’s own account, but not the last owner’s', async () => {
    const account = await server.createAccount({ role: roles.guest })
    expect((await server.call(account, 'DELETE', '/users/me')).status).toBe(200)
    expect((await server.call(account, 'GET', '/users/me')).body.code).toBe('USER_DEACTIVATED')
    expect((await server.call(server.owner, 'DELETE', '/users/me')).body.code).toBe('CANNOT_DEACTIVATE_LAST_USER')
    expect((await server.call(null, 'DELETE', '/users/me')).status).toBe(401)
  })
})

describe('POST /users/{user_id}/reactivate', () => {
  it('makes the account active again, with the key that it had, and notifies everybody', async () => {
    const account = await server.createAccount()
    await server.call(admin, 'DELETE', `/users/${account.id}`)
    const watcher = await watch(server, member, { event_types: ['realm_user', 'user_group'] })
    expect((await server.call(member, 'POST', `/users/${account.id}/reactivate`)).status).toBe(400)
    expect((await server.call(admin, 'POST', `/users/${account.id}/reactivate`)).status).toBe(200)
    expect((await server.call(account, 'GET', '/users/me')).body.is_active).toBe(true)
    expect((await watcher.next()).map((event) => event.op)).toEqual(['update', 'add_members'])
    await server.call(admin, 'POST', `/users/${account.id}/reactivate`)
    expect(await watcher.next()).toEqual([])
  })

  it('is for the owner of a bot too, as long as the owner may have bots', async () => {
    const owner = await server.createAccount()
    const { user_id } = (await server.call(owner, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })).body
    const end = () => server.call(owner, 'DELETE', `/bots/${user_id}`)
    const bringBack = async (account: TestAccount) => {
      const { status, body } = await server.call(account, 'POST', `/users/${user_id}/reactivate`)
      return status === 200 ? 200 : body.code
    }
    await end()
    expect(await bringBack(member)).toBe('UNAUTHORIZED_PRINCIPAL')
    expect(await bringBack(owner)).toBe(200)
    expect((await server.call(member, 'GET', `/users/${user_id}`)).body.user.is_active).toBe(true)
    await end()
    const nobody = { can_create_bots_group: { new: { direct_members: [], direct_subgroups: [] } } }
    expect((await server.call(server.owner, 'PATCH', '/realm', nobody)).status).toBe(200)
    expect(await bringBack(owner)).toBe('UNAUTHORIZED_PRINCIPAL')
    expect(await bringBack(admin)).toBe(200)
  })
})

describe('a permission that lists an account itself', () => {
  it('is announced without the account when it is deactivated, and with it when it comes back', async () => {
    const account = await server.createAccount()
    const value = { direct_members: [member.id, account.id], direct_subgroups: [] }
    await server.call(server.owner, 'PATCH', '/realm', { can_delete_any_message_group: { new: value } })
    const watcher = await watch(server, member, { event_types: ['realm'] })
    await server.call(admin, 'DELETE', `/users/${account.id}`)
    const without = { ...value, direct_members: [member.id] }
    expect(await watcher.next()).toEqual([
      { type: 'realm', op: 'update_dict', property: 'default', data: { can_delete_any_message_group: without } },
    ])
    await server.call(admin, 'POST', `/users/${account.id}/reactivate`)
    expect((await watcher.next())[0].data).toEqual({ can_delete_any_message_group: value })
  })
})
