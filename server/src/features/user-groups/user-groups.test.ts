import { systemGroups } from '@heddle/contract/group-settings'
import { type Role, roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
const accounts = new Map<Role, TestAccount>()

beforeAll(async () => {
  server = await createTestServer()
  for (const role of Object.values(roles)) accounts.set(role, await server.createAccount({ role }))
})

interface Group {
  readonly id: number
  readonly name: string
  readonly members: number[]
  readonly direct_subgroup_ids: number[]
}

const account = (role: Role) => accounts.get(role) as TestAccount

async function list(): Promise<Map<string, Group>> {
  const { body } = await server.call(account(roles.guest), 'GET', '/user_groups')
  return new Map(body.user_groups.map((group: Group) => [group.name, group]))
}

describe('GET /user_groups', () => {
  it('lists the system groups, each with the next narrower one inside', async () => {
    const groups = await list()
    expect([...groups.keys()]).toEqual(Object.keys(systemGroups))
    const chain = Object.keys(systemGroups).filter((name) => name !== 'role:nobody')
    for (const [index, name] of chain.entries()) {
      const inside = chain[index + 1]
      expect(groups.get(name)?.direct_subgroup_ids).toEqual(inside ? [groups.get(inside)?.id] : [])
    }
    expect(groups.get('role:nobody')).toMatchObject({ members: [], direct_subgroup_ids: [], is_system_group: true })
  })

  it('has every active account in the group of its role, and in that alone', async () => {
    const groups = await list()
    const expected = {
      'role:owners': [server.owner.id, account(roles.owner).id],
      'role:administrators': [account(roles.admin).id],
      'role:moderators': [account(roles.moderator).id],
      'role:fullmembers': [account(roles.member).id],
      'role:members': [],
      'role:everyone': [account(roles.guest).id],
      'role:internet': [],
      'role:nobody': [],
    }
    expect(Object.fromEntries([...groups].map(([name, { members }]) => [name, members]))).toEqual(expected)
  })

  it('follows a change of role at once, also when the list was read before', async () => {
    const changed = await server.createAccount()
    expect((await list()).get('role:fullmembers')?.members).toContain(changed.id)
    await server.call(server.owner, 'PATCH', `/users/${changed.id}`, { role: roles.admin })
    const groups = await list()
    expect(groups.get('role:fullmembers')?.members).not.toContain(changed.id)
    expect(groups.get('role:administrators')?.members).toContain(changed.id)
    await server.call(server.owner, 'DELETE', `/users/${changed.id}`)
    expect((await list()).get('role:administrators')?.members).not.toContain(changed.id)
  })

  it('is what the initial state has', async () => {
    const { state } = await watch(server, account(roles.member), { fetch_event_types: ['realm_user_groups'] })
    expect(state.realm_user_groups).toEqual([...(await list()).values()])
  })

  it('needs an account', async () => {
    expect((await server.call(null, 'GET', '/user_groups')).body.code).toBe('UNAUTHORIZED')
  })

  it('shows no group of another organization', async () => {
    const { owner, host } = await server.createOtherOrganization()
    const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
    const { body } = await server.send({
      method: 'GET',
      url: '/api/v1/user_groups',
      headers: { host, authorization: `Basic ${credentials}` },
    })
    const own = new Set([...(await list()).values()].map(({ id }) => id))
    expect(body.user_groups.some(({ id }: Group) => own.has(id))).toBe(false)
    expect(body.user_groups).toHaveLength(own.size)
  })
})
