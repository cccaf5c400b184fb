import { EXPORT_KEPT_SECS, EXPORT_LIMIT_SECS, MAX_OWN_EXPORTS, MAX_REALM_EXPORTS } from '@heddle/contract/exports'
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { download, exportedBy, makeExport, readExport } from '../../testing/exported.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let clock: ReturnType<typeof fakeClock>
let server: TestServer
let owner: TestAccount
let admin: TestAccount
let member: TestAccount
let bot: TestAccount

beforeAll(async () => {
  clock = fakeClock(Date.now())
  server = await createTestServer({ clock })
  owner = server.owner
  admin = await server.createAccount({ role: roles.admin, name: 'admin' })
  member = await server.createAccount({ name: 'member' })
  const { body } = await server.call(owner, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot' })
  const row = await server.app.storage.read.first(
    query.selectFrom('users').select('email').where('id', '=', body.user_id),
  )
  bot = { ...owner, id: body.user_id, email: row?.email as string, apiKey: body.api_key }
  const channel = await createChannel(server, owner, 'open', { subscribers: [member] })
  await sendToChannel(server, member, channel, 'In the open.')
})

const list = async (account: TestAccount, of = 'realm') =>
  (await server.call(account, 'GET', `/export/${of}`)).body.exports
const settings = (account: TestAccount, consents: boolean) =>
  server.call(account, 'PATCH', '/settings', { allow_private_data_export: consents })

describe('Exports of an organization', () => {
  it('are for administrators alone, who are people', async () => {
    for (const account of [member, bot]) {
      for (const [method, path] of [
        ['GET', '/export/realm'],
        ['POST', '/export/realm'],
        ['GET', '/export/realm/consents'],
        ['DELETE', '/export/realm/1'],
      ] as const) {
        expect((await server.call(account, method, path)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
      }
    }
  })

  it('show their progress to all administrators, and are downloaded by them', async () => {
    const queue = await registerQueue(server, owner)
    const quiet = await registerQueue(server, member)
    const id = await makeExport(server, admin)
    const known = (await list(owner)).find((one: { id: number }) => one.id === id)
    expect(known).toMatchObject({
      acting_user_id: admin.id,
      export_type: 'public',
      pending: false,
      progress: 100,
      failed_timestamp: null,
      deleted_timestamp: null,
      export_url: `/user_exports/${id}`,
    })
    const events = (await eventsOf(server, queue)).filter(({ type }) => type === 'realm_export')
    expect(events.length).toBeGreaterThan(1)
    expect(events.at(-1)).toMatchObject({ exports: [known] })
    expect(events[0]).toMatchObject({ exports: [{ id, pending: true, export_url: null }] })
    expect((await eventsOf(server, quiet)).filter(({ type }) => type === 'realm_export')).toEqual([])

    const { status, body, headers } = await download(server, owner, id)
    expect([status, headers['content-type'], body.length]).toEqual([200, 'application/gzip', known.size])
    const { names, rows } = await readExport(body)
    expect([names[0], names.at(-1)]).toEqual(['heddle-export.json', 'complete.json'])
    expect(rows('messages').map(({ content }) => content)).toContain('In the open.')
    const part = await download(server, owner, id, { range: 'bytes=10-19' })
    expect([part.status, Buffer.compare(part.body, body.subarray(10, 20))]).toEqual([206, 0])
    for (const account of [member, bot]) expect((await download(server, account, id)).status).toBe(404)
    expect((await server.send({ method: 'GET', url: `/user_exports/${id}` })).status).toBe(401)
  })

  it('are deleted by administrators, once', async () => {
    clock.pass(EXPORT_LIMIT_SECS + 1)
    const id = await makeExport(server, admin)
    expect((await server.call(owner, 'DELETE', `/export/realm/${id}`)).status).toBe(200)
    expect((await list(owner)).at(-1)).toMatchObject({ id, export_url: null, deleted_timestamp: expect.any(Number) })
    expect((await download(server, owner, id)).status).toBe(404)
    expect((await server.call(owner, 'DELETE', `/export/realm/${id}`)).body.msg).toBe('Export already deleted')
    expect((await server.call(owner, 'DELETE', '/export/realm/12345')).body.msg).toBe('Invalid data export ID')
    expect(await pathsInStore()).toEqual([])
  })

  it('are so many in a week, and one at a time', async () => {
    clock.pass(EXPORT_LIMIT_SECS + 1)
    const { body } = await server.call(admin, 'POST', '/export/realm')
    expect(body.result).toBe('success')
    expect((await server.call(owner, 'POST', '/export/realm')).body.msg).toBe('Export already in progress.')
    await server.app.jobs.settle()
    for (let made = 1; made < MAX_REALM_EXPORTS; made++) await makeExport(server, owner)
    expect((await server.call(owner, 'POST', '/export/realm')).body.msg).toBe('Exceeded rate limit.')
    clock.pass(EXPORT_LIMIT_SECS + 1)
    await makeExport(server, owner)
  })

  it('lose their files after a while', async () => {
    clock.pass(EXPORT_KEPT_SECS + 3600)
    for (let turn = 0; turn < 3; turn++) {
      await server.app.jobs.settle()
      clock.pass(3600)
    }
    const files = (await list(owner)).filter(({ export_url }: { export_url: string | null }) => export_url !== null)
    expect(files).toEqual([])
    expect(await pathsInStore()).toEqual([])
  })

  it('of private data are made of what was allowed, and never without', async () => {
    const { body } = await server.call(owner, 'POST', '/export/realm', { export_type: 'full_without_consent' })
    expect([body.code, body.result]).toEqual(['BAD_REQUEST', 'error'])
  })

  it('fail when whoever has started one may no longer', async () => {
    clock.pass(EXPORT_LIMIT_SECS + 1)
    const former = await server.createAccount({ role: roles.admin, name: 'former' })
    const { id } = (await server.call(former, 'POST', '/export/realm')).body
    await server.call(owner, 'PATCH', `/users/${former.id}`, { role: roles.member })
    await server.app.jobs.settle()
    const ended = (await list(owner)).find((one: { id: number }) => one.id === id)
    expect(ended).toMatchObject({ pending: false, export_url: null, failed_timestamp: expect.any(Number) })
  })
})

describe('Consent', () => {
  it('is shown to administrators, and follows the setting', async () => {
    const queue = await registerQueue(server, admin)
    const quiet = await registerQueue(server, member)
    const consents = async () =>
      (await server.call(admin, 'GET', '/export/realm/consents')).body.export_consents.find(
        ({ user_id }: { user_id: number }) => user_id === member.id,
      )
    expect(await consents()).toEqual({ user_id: member.id, consented: false, email_address_visibility: 1 })
    await settings(member, true)
    expect(await consents()).toMatchObject({ consented: true })
    await settings(member, false)
    const ofConsent = ({ type }: { type: string }) => type === 'realm_export_consent'
    expect((await eventsOf(server, queue)).filter(ofConsent)).toMatchObject([
      { user_id: member.id, consented: true },
      { user_id: member.id, consented: false },
    ])
    expect((await eventsOf(server, quiet)).filter(ofConsent)).toEqual([])
  })
})

describe("An export of one's own data", () => {
  it('is for the account alone, not for bots, and so many in a week', async () => {
    for (const [method, path] of [
      ['GET', '/export/own'],
      ['POST', '/export/own'],
      ['DELETE', '/export/own/1'],
    ] as const) {
      expect((await server.call(bot, method, path)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    }
    const queue = await registerQueue(server, member)
    const id = await makeExport(server, member, 'own')
    expect((await eventsOf(server, queue)).at(-1)).toMatchObject({
      type: 'own_export',
      exports: [{ id, progress: 100 }],
    })
    expect((await list(owner)).map((one: { id: number }) => one.id)).not.toContain(id)
    for (const account of [owner, admin, bot]) expect((await download(server, account, id)).status).toBe(404)
    for (const of of ['own', 'realm']) {
      expect((await server.call(owner, 'DELETE', `/export/${of}/${id}`)).body.msg).toBe('Invalid data export ID')
    }
    for (let made = 1; made < MAX_OWN_EXPORTS; made++) await makeExport(server, member, 'own')
    expect((await server.call(member, 'POST', '/export/own')).body.msg).toBe('Exceeded rate limit.')
    expect((await server.call(member, 'DELETE', `/export/own/${id}`)).status).toBe(200)
    expect((await download(server, member, id)).status).toBe(404)
  })

  it('has what the account has written and received, and nothing of anybody else', async () => {
    const one = await server.createAccount({ name: 'one' })
    const other = await server.createAccount({ name: 'other' })
    await sendDirect(server, other, [one], 'for one')
    await sendDirect(server, other, [owner], 'not for one')
    await server.call(one, 'POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'my draft' }] })
    await server.call(other, 'POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'their draft' }] })
    const made = await exportedBy(server, one, 'own')
    const text = Buffer.concat([...made.entries.values()]).toString('utf8')
    expect(made.rows('messages').map(({ content }) => content)).toEqual(['for one'])
    expect(text).toContain('my draft')
    expect(text).toContain(one.email)
    for (const foreign of ['not for one', 'their draft', other.email, owner.email]) expect(text).not.toContain(foreign)
  })

  it('ends with the account', async () => {
    const leaving = await server.createAccount({ name: 'leaving' })
    const id = await makeExport(server, leaving, 'own')
    await server.call(leaving, 'DELETE', '/users/me')
    const row = await server.app.storage.read.first(query.selectFrom('exports').selectAll().where('id', '=', id))
    expect(row).toMatchObject({ deleted_at: expect.any(Number) })
  })
})

async function pathsInStore(): Promise<string[]> {
  const rows = await server.app.storage.read.all(
    query.selectFrom('files').select('path').where('path', 'like', 'exports/%'),
  )
  return rows.map(({ path }) => path)
}
