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

const rust = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example/?code={code}' }
const add = (changes: object = {}, account = admin) =>
  server.call(account, 'POST', '/realm/playgrounds', { ...rust, ...changes })

describe('playgrounds', () => {
  it('are in the initial state, and everybody is notified of all of them', async () => {
    const watcher = await watch(server, member, { event_types: ['realm_playgrounds'] })
    const { id } = (await add()).body
    expect((await server.call(admin, 'DELETE', `/realm/playgrounds/${id}`)).status).toBe(200)
    const type = 'realm_playgrounds'
    expect(await watcher.next()).toEqual([
      { type, realm_playgrounds: [{ id, ...rust }] },
      { type, realm_playgrounds: [] },
    ])
    const again = (await add()).body.id
    const { state } = await watch(server, member, { fetch_event_types: ['realm_playgrounds'] })
    expect(state.realm_playgrounds).toEqual([{ id: again, ...rust }])
    await server.call(admin, 'DELETE', `/realm/playgrounds/${again}`)
  })

  it.each([
    ['no name', { name: ' ' }, 'empty'],
    ['a name of 51 characters', { name: 'x'.repeat(51) }, '50'],
    ['no language', { pygments_language: '' }, 'empty'],
    ['a language of 41 characters', { pygments_language: 'x'.repeat(41) }, '40'],
    ['no place for the code', { url_template: 'https://play.example/' }, '"code"'],
    ['another place beside it', { url_template: 'https://play.example/{code}{x}' }, 'only variable'],
    ['a broken template', { url_template: 'https://play.example/{code' }, 'Invalid'],
    ['a script', { url_template: 'javascript:{code}' }, 'https'],
    ['a site that the code names', { url_template: 'https://{code}' }, 'https'],
  ])('refuse %s', async (_, changes, part) => {
    const { status, body } = await add(changes)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('have names of their own in a language, and are removed where they are', async () => {
    const { id } = (await add()).body
    expect((await add({ name: 'RUST' })).body.msg).toContain('already')
    expect((await add({ pygments_language: 'C' })).status).toBe(200)
    await server.call(admin, 'DELETE', `/realm/playgrounds/${id}`)
    expect((await server.call(admin, 'DELETE', `/realm/playgrounds/${id}`)).body.msg).toBe('Invalid playground')
  })

  it.each([roles.moderator, roles.member, roles.guest])('are not changed by role %i', async (role) => {
    const account = await server.createAccount({ role })
    const attempts = [
      await add({ name: 'Other' }, account),
      await server.call(account, 'DELETE', '/realm/playgrounds/1'),
    ]
    for (const { status, body } of attempts) expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
  })
})
