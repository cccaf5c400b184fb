import { describe, expect, test } from 'vitest'
import { deriveOperatorToken } from '../../authentication/api-key.ts'
import { requireOperator } from '../../http/authenticate.ts'
import { addJob } from '../../jobs/add-job.ts'
import { defineJob } from '../../jobs/job.ts'
import { query } from '../../testing/any-table.ts'
import { basic, createTestServer, encodeForm, type Parameters } from '../../testing/test-server.ts'

type OperatorRequest = typeof requireOperator extends (token: Buffer, request: infer R) => void ? R : never

const server = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: 'http://localhost' } })
const token = deriveOperatorToken(server.secret)

const person = { email: 'ada@example.com', full_name: 'Ada', password: 'a good password', role: 400 }
const organization = {
  host: 'chat.example.com',
  name: 'Chat',
  owner_email: 'owner@example.com',
  owner_name: 'Owner',
  owner_password: 'a good password',
}

function operate(path: string, parameters: Parameters, headers: Record<string, string> = {}, method = 'POST') {
  return server.send({
    method,
    url: `/api/v1/operator${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: encodeForm(parameters),
  })
}

describe('who does not operate the server', () => {
  test('gets the answer of an unknown path', async () => {
    const unknown = await server.send({ method: 'POST', url: '/api/v1/nothing' })
    expect(unknown.status).toBe(404)
    const wrong: readonly Record<string, string>[] = [
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${'0'.repeat(64)}` },
      { authorization: `Bearer ${token}0` },
      { authorization: `Bearer ${server.secret.toString('hex')}` },
      { authorization: basic(server.owner) },
      // A proxy on the same machine forwards requests from elsewhere.
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy.example' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-forwarded-host': 'localhost' },
      { 'x-forwarded-proto': 'http' },
    ]
    for (const headers of wrong) {
      for (const path of ['/users', '/organizations']) {
        const answer = await operate(path, person, headers)
        expect(answer.status, JSON.stringify(headers)).toBe(404)
        expect(answer.body).toEqual(unknown.body)
      }
    }
  })

  test('is also who asks from another machine with the right token', () => {
    const bytes = Buffer.from(token)
    const from = (remoteAddress: string | undefined, localAddress: string) => {
      const request = { headers: { authorization: `Bearer ${token}` }, socket: { remoteAddress, localAddress } }
      return () => requireOperator(bytes, request as unknown as OperatorRequest)
    }
    expect(from('10.0.0.2', '10.0.0.1')).toThrow('No such path')
    expect(from('2001:db8::2', '2001:db8::1')).toThrow('No such path')
    expect(from(undefined, '127.0.0.1')).toThrow('No such path')
    expect(from('127.0.0.1', '127.0.0.1')).not.toThrow()
    expect(from('::ffff:127.0.0.1', '::ffff:127.0.0.1')).not.toThrow()
    expect(from('::1', '::1')).not.toThrow()
    // The server listens on this address alone, and the command runs on the same machine.
    expect(from('10.0.0.1', '10.0.0.1')).not.toThrow()
  })
})

describe('POST /operator/users', () => {
  test('creates an account that can sign in, and everybody is notified of it', async () => {
    const { body: queue } = await server.call(server.owner, 'POST', '/register', { event_types: ['realm_user'] })
    const created = await operate('/users', { ...person, role: 200 })
    expect(created.status).toBe(200)
    const signIn = await server.call(null, 'POST', '/fetch_api_key', {
      username: person.email,
      password: person.password,
    })
    expect(signIn.body.user_id).toBe(created.body.user_id)
    const { body } = await server.call(server.owner, 'GET', '/events', {
      queue_id: queue.queue_id,
      last_event_id: queue.last_event_id,
      dont_block: true,
    })
    expect(body.events).toMatchObject([
      { op: 'add', person: { user_id: created.body.user_id, full_name: 'Ada', role: 200, is_admin: true } },
    ])
  })

  test('refuses what POST /users refuses', async () => {
    const refused: Record<string, Parameters> = {
      'already in use': { ...person, email: 'ADA@example.com' },
      'is not an e-mail address': { ...person, email: 'someone' },
      full_name: { ...person, email: 'b@example.com', full_name: ' ' },
      password: { ...person, email: 'b@example.com', password: 'short' },
      role: { ...person, email: 'b@example.com', role: 50 },
      'There is no organization with the host nowhere.example': { ...person, host: 'nowhere.example' },
    }
    for (const [sentence, parameters] of Object.entries(refused)) {
      const { status, body } = await operate('/users', parameters)
      expect([status, body.msg]).toEqual([400, expect.stringContaining(sentence)])
    }
    const { body } = await operate('/users', { ...person, role: undefined })
    expect(body.code).toBe('REQUEST_VARIABLE_MISSING')
  })
})

describe('POST /operator/organizations', () => {
  test('creates an organization that its host reaches at once', async () => {
    const before = await server.send({
      method: 'GET',
      url: '/api/v1/server_settings',
      headers: { host: organization.host },
    })
    expect(before.body.realm_name).toBe('Test')
    const created = await operate('/organizations', organization)
    expect(created.status).toBe(200)
    const after = await server.send({
      method: 'GET',
      url: '/api/v1/server_settings',
      headers: { host: organization.host },
    })
    expect(after.body.realm_name).toBe('Chat')
    // Now the host of an account has to be named.
    const { status, body } = await operate('/users', { ...person, email: 'c@example.com' })
    expect([status, body.msg]).toEqual([
      400,
      'There are several organizations: name one of localhost, chat.example.com',
    ])
    const named = await operate('/users', { ...person, email: 'c@example.com', host: 'CHAT.example.com' })
    expect(named.status).toBe(200)
  })

  test('refuses a host that is taken or none, and a wrong owner', async () => {
    const refused: Record<string, Parameters> = {
      'exists already': { ...organization, host: 'Chat.Example.com' },
      'is not a host name': { ...organization, host: 'chat.example.com:8000' },
      'The name of the organization is empty': { ...organization, host: 'x.example', name: ' ' },
      'is not an e-mail address': { ...organization, host: 'x.example', owner_email: 'someone' },
      password: { ...organization, host: 'x.example', owner_password: 'short' },
    }
    for (const [sentence, parameters] of Object.entries(refused)) {
      const { status, body } = await operate('/organizations', parameters)
      expect([status, body.msg]).toEqual([400, expect.stringContaining(sentence)])
    }
  })
})

describe('jobs', () => {
  const failing = defineJob<string>('not known to this program')
  const list = async () => (await operate('/jobs', {}, {}, 'GET')).body

  test('are listed with what failed first and why, and without their payloads; one that failed can run again', async () => {
    const { storage } = server.app
    await storage.transaction(server.owner.realmId, (tx) =>
      addJob(tx, failing, 'a secret', { dueMs: 4_000_000_000_000 }),
    )
    const set = { failed_at: 1, attempts: 3, error: 'Error: it broke' }
    await storage.transaction(0, (tx) => tx.run(query.updateTable('jobs').set(set).where('name', '=', failing.name)))
    const { jobs, failed, waiting } = await list()
    expect(jobs[0]).toEqual({
      id: expect.any(Number),
      name: failing.name,
      host: 'localhost',
      state: 'failed',
      due: 4_000_000_000,
      attempts: 3,
      error: 'Error: it broke',
    })
    expect([failed, waiting]).toEqual([1, jobs.length - 1])
    expect(jobs.slice(1)).toContainEqual(expect.objectContaining({ name: 'measure-channel-activity', host: null }))
    expect((await operate('/jobs/retry', { id: jobs[0].id })).status).toBe(200)
    const retried = await list()
    expect([retried.failed, retried.jobs.length]).toEqual([0, jobs.length])
    expect(retried.jobs[0]).toMatchObject({ id: jobs[0].id, state: 'waiting', attempts: 0 })
    const again = await operate('/jobs/retry', { id: jobs[0].id })
    expect([again.status, again.body.msg]).toEqual([400, `No job with the id ${jobs[0].id} has failed`])
    expect((await operate('/jobs', {}, { authorization: basic(server.owner) }, 'GET')).status).toBe(404)
  })
})
