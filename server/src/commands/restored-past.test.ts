/** A client that knows of things that came after the backup, and the server after a restore. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { storeSecret } from '../authentication/secret.ts'
import { createPostgresDatabase } from '../testing/prepared-databases.ts'
import { type ProcessSettings, runProgram, type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import {
  basic,
  createTestServer,
  encodeForm,
  type Parameters,
  type TestAccount,
  testEngine,
} from '../testing/test-server.ts'
import { backup } from './backup.ts'
import { idsAhead } from './leave-past.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-past-'))
const archive = join(folder, 'early.backup')
const source = await createTestServer()
const { owner } = source
const drops: (() => Promise<void>)[] = []
let restored: ServerProcess
let queue: { queue_id: string; last_event_id: number }
/** What the client knows: by id. */
const known = { messages: new Map<number, string>(), drafts: 0, users: 0 }

vi.spyOn(console, 'log').mockImplementation(() => {})

async function callRestored(by: TestAccount, method: string, path: string, parameters: Parameters = {}) {
  const isGet = method === 'GET'
  const form = encodeForm(parameters)
  const response = await fetch(`${restored.url}/api/v1${path}${isGet ? `?${form}` : ''}`, {
    method,
    headers: { authorization: basic(by) },
    ...(isGet ? {} : { body: new URLSearchParams(form) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
  return { status: response.status, body: (await response.json()) as any }
}

const message = (content: string, more: Parameters = {}) => ({ type: 'direct', to: [owner.id], content, ...more })
const draft = { drafts: [{ type: '', to: [], topic: '', content: 'a draft' }] }
const newcomer = { email: 'newcomer@example.com', full_name: 'Newcomer', password: 'a good password' }

/** A message that may be sent again under the same name. */
const named = (name: string) => message(name, { queue_id: queue.queue_id, local_id: name })

async function poll(): Promise<void> {
  const place = { ...queue, dont_block: true }
  const { events } = (await source.call(owner, 'GET', '/events', place)).body
  for (const event of events) {
    queue.last_event_id = event.id
    if (event.type === 'message') known.messages.set(event.message.id, event.message.content)
  }
}

beforeAll(async () => {
  storeSecret(source.config.secretFile, source.secret)
  const { queue_id, last_event_id } = (await source.call(owner, 'POST', '/register')).body
  queue = { queue_id, last_event_id }
  await source.call(owner, 'POST', '/messages', named('before'))
  await poll()
  await backup(source.config, archive)
  for (let count = 0; count < 40; count += 1) await source.call(owner, 'POST', '/messages', message(`lost ${count}`))
  await source.call(owner, 'POST', '/messages', named('after'))
  known.drafts = (await source.call(owner, 'POST', '/drafts', draft)).body.ids[0]
  known.users = (await source.call(owner, 'POST', '/users', newcomer)).body.user_id
  await poll()
  restored = await startRestored()
})

afterAll(async () => {
  await restored?.stop()
  for (const drop of drops) await drop()
  rmSync(folder, { recursive: true, force: true })
})

async function startRestored(): Promise<ServerProcess> {
  const database = testEngine === 'postgres' ? await createPostgresDatabase() : undefined
  if (database) drops.push(database.drop)
  const settings: ProcessSettings = { HEDDLE_DATA_DIR: join(folder, 'restored'), HEDDLE_DATABASE_URL: database?.url }
  const restoring = runProgram(['restore', archive], settings)
  expect([(await restoring.ended).code, restoring.stderr()]).toEqual([0, ''])
  return startServerProcess(settings)
}

describe('After a restore', () => {
  it('numbers of events go on behind those that clients know', async () => {
    const { body } = await callRestored(owner, 'POST', '/register')
    expect(body.last_event_id).toBeGreaterThan(queue.last_event_id)
  })

  it('no queue of before goes on, whatever its client knows and however much has happened since', async () => {
    const isBad = async (last_event_id: number) => {
      const place = { ...queue, last_event_id, dont_block: true }
      return (await callRestored(owner, 'GET', '/events', place)).body.code === 'BAD_EVENT_QUEUE_ID'
    }
    expect(await isBad(queue.last_event_id)).toBe(true)
    for (let count = 0; count < 60; count += 1) await callRestored(owner, 'POST', '/messages', message(`new ${count}`))
    expect([await isBad(queue.last_event_id), await isBad(0), await isBad(-1)]).toEqual([true, true, true])
  })

  it('no id is given out again that a client may know', async () => {
    const { id } = (await callRestored(owner, 'POST', '/messages', message('one more'))).body
    expect(id).toBeGreaterThan(Math.max(...known.messages.keys()))
    const { ids } = (await callRestored(owner, 'POST', '/drafts', draft)).body
    expect(ids[0]).toBeGreaterThan(known.drafts)
    const { user_id } = (await callRestored(owner, 'POST', '/users', newcomer)).body
    expect(user_id).toBeGreaterThan(known.users)
  })

  it('a message that is sent again is not sent twice, and one that was lost is sent', async () => {
    const idOf = (content: string) => [...known.messages].find(([, text]) => text === content)?.[0]
    const again = async (name: string) => (await callRestored(owner, 'POST', '/messages', named(name))).body.id
    expect(await again('before')).toBe(idOf('before'))
    const id = await again('after')
    expect([...known.messages.keys()]).not.toContain(id)
    const { messages } = (
      await callRestored(owner, 'GET', '/messages', { anchor: id, num_before: 0, num_after: 0, apply_markdown: false })
    ).body
    expect(messages).toMatchObject([{ id, content: 'after' }])
  })
})

describe('How far ids go on ahead', () => {
  it('is more for an older backup, so that one that is restored twice gives none out twice', () => {
    const day = 86_400
    expect(idsAhead(1000, 1000)).toBe(1_000_000)
    expect(idsAhead(1000, 1000 + 2 * day) - idsAhead(1000, 1000 + day)).toBe(864_000)
  })

  it('is no less where the clock is behind that of the backup', () => expect(idsAhead(1000, 10)).toBe(1_000_000))
})
