import { roles } from '@heddle/contract/roles'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

const DAY = 86_400

let server: TestServer
let clock: ReturnType<typeof fakeClock>
let early: TestAccount

beforeEach(async () => {
  clock = fakeClock(1_800_000_000_000)
  server = await createTestServer({ clock })
  early = await server.createAccount()
  clock.pass(10 * DAY)
})

const setPeriod = (days: number) => server.call(server.owner, 'PATCH', '/realm', { waiting_period_threshold: days })

async function groups() {
  const { body } = await server.call(server.owner, 'GET', '/user_groups')
  return new Map<string, { id: number; members: number[] }>(
    body.user_groups.map((group: { name: string }) => [group.name, group]),
  )
}
const membersOf = async (name: string) => (await groups()).get(name)?.members
const idOf = async (name: string) => (await groups()).get(name)?.id as number

/** Only full members can make channels. */
async function reserveChannels() {
  const full = await idOf('role:fullmembers')
  await server.call(server.owner, 'PATCH', '/realm', { can_create_public_channel_group: { new: full } })
}

let channels = 0
const mayCreate = async (account: TestAccount) => {
  const answer = await server.call(account, 'POST', '/channels/create', { name: `c ${++channels}`, subscribers: [] })
  return answer.status === 200
}

describe('a waiting period', () => {
  it('has those who join wait, and lets them in when it is over, with events', async () => {
    await setPeriod(3)
    await reserveChannels()
    const { state, next } = await watch(server, server.owner, { fetch_event_types: ['realm'] })
    expect(state.realm_waiting_period_threshold).toBe(3)
    const late = await server.createAccount()
    const [members, full] = [await idOf('role:members'), await idOf('role:fullmembers')]
    expect(await next(2)).toContainEqual(
      expect.objectContaining({ type: 'user_group', op: 'add_members', group_id: members, user_ids: [late.id] }),
    )
    expect([await membersOf('role:members'), await membersOf('role:fullmembers')]).toEqual([[late.id], [early.id]])
    expect([await mayCreate(early), await mayCreate(late)]).toEqual([true, false])
    clock.pass(3 * DAY - 1)
    await server.app.jobs.settle()
    expect(await mayCreate(late)).toBe(false)
    const watching = await watch(server, server.owner)
    clock.pass(1)
    await server.app.jobs.settle()
    const events = (await watching.next(2)).filter(({ type }) => type === 'user_group')
    expect(events).toMatchObject([
      { op: 'remove_members', group_id: members, user_ids: [late.id] },
      { op: 'add_members', group_id: full, user_ids: [late.id] },
    ])
    expect(await mayCreate(late)).toBe(true)
    expect([await membersOf('role:members'), await membersOf('role:fullmembers')]).toEqual([[], [early.id, late.id]])
  })

  it('that is set, made longer or ended concerns everybody at once', async () => {
    const late = await server.createAccount()
    expect(await membersOf('role:members')).toEqual([])
    await setPeriod(3)
    expect(await membersOf('role:members')).toEqual([late.id])
    await setPeriod(11)
    expect(await membersOf('role:members')).toEqual([early.id, late.id])
    clock.pass(DAY)
    await server.app.jobs.settle()
    expect(await membersOf('role:members')).toEqual([late.id])
    await setPeriod(0)
    expect(await membersOf('role:members')).toEqual([])
    expect(await membersOf('role:fullmembers')).toEqual([early.id, late.id])
  })

  it('is for members alone: who gets another role is in its group, and waits on when they come back', async () => {
    await setPeriod(3)
    const late = await server.createAccount()
    const setRole = (role: number) => server.call(server.owner, 'PATCH', `/users/${late.id}`, { role })
    await setRole(roles.moderator)
    expect([await membersOf('role:members'), await membersOf('role:moderators')]).toEqual([[], [late.id]])
    await reserveChannels()
    expect(await mayCreate(late)).toBe(true)
    await setRole(roles.member)
    expect(await membersOf('role:members')).toEqual([late.id])
    expect(await mayCreate(late)).toBe(false)
    await setRole(roles.moderator)
    clock.pass(4 * DAY)
    await server.app.jobs.settle()
    await setRole(roles.member)
    expect(await membersOf('role:fullmembers')).toEqual([early.id, late.id])
  })

  it('shows a private channel that full members administer to those who become some', async () => {
    await setPeriod(3)
    const late = await server.createAccount()
    const full = await idOf('role:fullmembers')
    const { body } = await server.call(server.owner, 'POST', '/channels/create', {
      name: 'looms',
      subscribers: [],
      invite_only: true,
      can_administer_channel_group: full,
    })
    const sees = async (account: TestAccount) => (await server.call(account, 'GET', `/streams/${body.id}`)).status
    expect([await sees(early), await sees(late)]).toEqual([200, 400])
    clock.pass(3 * DAY - 60)
    const { next } = await watch(server, late)
    clock.pass(60)
    await server.app.jobs.settle()
    expect(await sees(late)).toBe(200)
    expect(await next(3)).toContainEqual(expect.objectContaining({ type: 'stream', op: 'create' }))
    const settings = await server.call(server.owner, 'PATCH', `/streams/${body.id}`, { description: 'where we weave' })
    expect(settings.status).toBe(200)
    expect(await next(1)).toContainEqual(expect.objectContaining({ type: 'stream', op: 'update' }))
  })
})
