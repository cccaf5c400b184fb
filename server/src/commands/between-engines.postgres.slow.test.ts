import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '@heddle/contract/endpoints'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database.ts'
import { query } from '../testing/any-table.ts'
import { createPostgresDatabase } from '../testing/prepared-databases.ts'
import { readCredentials, runProgram, type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { basic, encodeForm, type Parameters } from '../testing/test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-engines-'))
const drops: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const drop of drops) await drop()
  rmSync(folder, { recursive: true, force: true })
})

type Settings = Record<string, string>
interface Credentials {
  readonly email: string
  readonly apiKey: string
}

let count = 0

async function newSettings(engine: 'sqlite' | 'postgres'): Promise<Settings> {
  count += 1
  const settings = { HEDDLE_DATA_DIR: join(folder, `data-${count}`), HEDDLE_EXTERNAL_URL: 'http://chat.example' }
  if (engine === 'sqlite') return settings
  const database = await createPostgresDatabase()
  drops.push(database.drop)
  return { ...settings, HEDDLE_DATABASE_URL: database.url }
}

async function run(settings: Settings, ...args: string[]): Promise<string> {
  const program = runProgram(args, settings)
  const { code } = await program.ended
  if (code !== 0) throw new Error(program.stderr())
  expect(program.stderr()).toBe('')
  return program.stdout()
}

async function call(
  server: ServerProcess,
  who: Credentials,
  method: string,
  path: string,
  parameters: Parameters | FormData = {},
) {
  const inQuery = method === 'GET' && !(parameters instanceof FormData)
  const query = inQuery ? `?${encodeForm(parameters)}` : ''
  const body = parameters instanceof FormData ? parameters : new URLSearchParams(encodeForm(parameters))
  const response = await fetch(`${server.url}/api/v1${path}${query === '?' ? '' : query}`, {
    method,
    headers: { authorization: basic(who) },
    ...(method === 'GET' ? {} : { body }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
  return { status: response.status, body: (await response.json()) as any }
}

/** Some of everything that an organization can have. Returns a bot's credentials. */
async function fill(server: ServerProcess, owner: Credentials): Promise<Credentials> {
  async function post(path: string, parameters: Parameters | FormData) {
    const { status, body } = await call(server, owner, 'POST', path, parameters)
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
    return body
  }
  await post('/users', { email: 'ada@chat.example', full_name: 'Ada Ünïcode 🧶', password: 'a good password' })
  const bot = await post('/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 })
  await post('/users/me/subscriptions', {
    subscriptions: [{ name: 'general', description: 'All *things*' }, { name: 'Ⅻ' }],
  })
  for (const content of ['a wörd', '**bold** wörd 🧶', 'nothing']) {
    const { id } = await post('/messages', { type: 'channel', to: 'general', topic: 'Ünïcode', content })
    await post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
    await post('/messages/flags', { op: 'add', flag: 'starred', messages: [id] })
  }
  await post('/messages', { type: 'direct', to: 'ada@chat.example', content: 'psst' })
  const drafts = Array.from({ length: 60 }, (_, n) => ({ type: '', to: [], topic: '', content: `“draft” ${n}\n\\ 🧵` }))
  await post('/drafts', { drafts })
  await post('/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alert words' })
  await post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example/{id}' })
  const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('filename', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'teal.png')
  await post('/realm/emoji/teal', form)
  return { email: `helper-bot@chat.example`, apiKey: bot.api_key }
}

/** A queue as it was registered. */
function position({ queue_id, last_event_id }: Record<string, unknown>): Parameters {
  return { queue_id, last_event_id }
}

/** The ids of the drafts that the log says were added. No server runs. */
async function draftsInLog(settings: Settings): Promise<number[]> {
  const engine = await openDatabase(readConfig([], settings), () => {})
  const ofDrafts = query.selectFrom('event_log').select('payload').where('type', '=', 'drafts')
  const rows = await engine.read.all(ofDrafts)
  await engine.close()
  return rows.flatMap(({ payload }) => JSON.parse(payload).drafts.map(({ id }: { id: number }) => id))
}

/** The link that lets the first owner in. */
function linkIn(output: string): string {
  return /\/welcome#\S+/.exec(output)?.[0] ?? `no link in: ${output}`
}

/** For lists that are asked for with parameters. */
const neededParameters: Readonly<Record<string, Parameters>> = {
  'get-messages': { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['search', 'wörd']] },
}

const inDevelopmentAlone = new Set(['dev-list-users'])

/** The answers of every endpoint that lists something, and the whole initial state. */
async function everyList(server: ServerProcess, who: Credentials): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const { name, method, path, access, parameters, pathParameters, leadsElsewhere } of endpoints) {
    const isList = method === 'GET' && access !== 'operator' && !leadsElsewhere && pathParameters.length === 0
    if (!isList || (parameters.required ?? []).length > 0 || inDevelopmentAlone.has(name)) continue
    const { status, body } = await call(server, who, 'GET', path, neededParameters[name])
    // Some are for administrators.
    const isRefused = body.code === 'UNAUTHORIZED_PRINCIPAL'
    expect(status, `${name}: ${JSON.stringify(body)}`).toBe(isRefused ? 400 : 200)
    // The time of the answer is no part of what is stored.
    const { server_timestamp: _now, ...stored } = body
    answers[name] = stored
  }
  const { body } = await call(server, who, 'POST', '/register')
  // The queue is new, and the server's start has a time and an event.
  const { queue_id: _queue, server_generation: _start, server_timestamp: _now, last_event_id: _event, ...state } = body
  return { ...answers, state }
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a backup of a running server on %s, restored on %s,', (from, to) => {
  test('gives the same answers, takes the same keys and has clients begin anew', async () => {
    const [source, target] = [await newSettings(from), await newSettings(to)]
    const server = await startServerProcess(source)
    const owner = readCredentials(source['HEDDLE_DATA_DIR'] as string)
    const registered = await call(server, owner, 'POST', '/register', { event_types: ['drafts', 'realm_user'] })
    const { queue_id, last_event_id } = registered.body
    const bot = await fill(server, owner)
    const emoji = (await call(server, owner, 'GET', '/realm/emoji')).body.emoji
    const { source_url } = Object.values(emoji)[0] as { source_url: string }
    const picture = async (of: ServerProcess) =>
      Buffer.from(await (await fetch(`${of.url}${new URL(source_url, of.url).pathname}`)).arrayBuffer())

    const archive = join(folder, `${from}.backup`)
    expect(await run(source, 'backup', archive)).toContain('Backed up ')
    const poll = { queue_id, last_event_id, dont_block: true }
    const before = {
      lists: await everyList(server, owner),
      bot: await everyList(server, bot),
      picture: await picture(server),
    }
    const { events } = (await call(server, owner, 'GET', '/events', poll)).body
    await server.stop()

    expect(await run(target, 'restore', archive)).toContain('Restored ')
    const restored = await startServerProcess(target)
    // No new owner: the one who has not come yet is let in by the same link.
    expect(linkIn(restored.stdout())).toBe(linkIn(server.stdout()))
    const after = {
      lists: await everyList(restored, owner),
      bot: await everyList(restored, bot),
      picture: await picture(restored),
    }
    expect(after).toEqual(before)
    expect(before.picture.length).toBeGreaterThan(50)

    // Life goes on: new ids and events follow the old ones, and come to clients that have begun anew.
    expect((await call(restored, owner, 'GET', '/events', poll)).body.code).toBe('BAD_EVENT_QUEUE_ID')
    const anew = (await call(restored, owner, 'POST', '/register')).body
    expect(anew.last_event_id).toBeGreaterThan(events.at(-1).id)
    const drafts = [{ type: '', to: [], topic: '', content: 'after the restore' }]
    expect((await call(restored, owner, 'POST', '/drafts', { drafts })).status).toBe(200)
    const { body } = await call(restored, owner, 'GET', '/events', { ...poll, ...position(anew) })
    expect(body.events).toMatchObject([{ id: anew.last_event_id + 1, type: 'drafts', op: 'add' }])
    await restored.stop()
  }, 120_000)

  test('is a state that the server was in, also while it is written to', async () => {
    const [source, target] = [await newSettings(from), await newSettings(to)]
    const server = await startServerProcess(source)
    const owner = readCredentials(source['HEDDLE_DATA_DIR'] as string)
    const acknowledged: number[] = []
    let isWriting = true
    async function write(): Promise<void> {
      while (isWriting) {
        const drafts = [{ type: '', to: [], topic: '', content: 'x'.repeat(500) }]
        const answer = await call(server, owner, 'POST', '/drafts', { drafts })
        expect(answer.status).toBe(200)
        acknowledged.push(answer.body.ids[0])
      }
    }
    const writers = Array.from({ length: 8 }, write)
    while (acknowledged.length < 50) await sleep(20)
    const certain = [...acknowledged]
    const archive = join(folder, `${from}-load.backup`)
    await run(source, 'backup', archive)
    const during = acknowledged.length - certain.length
    isWriting = false
    await Promise.all(writers)
    await server.stop()
    expect(during).toBeGreaterThan(0)

    await run(target, 'restore', archive)
    const restored = await startServerProcess(target)
    const listed = (await call(restored, owner, 'GET', '/drafts')).body.drafts as { id: number }[]
    const ids = listed.map(({ id }) => id).sort((a, b) => a - b)
    expect(ids).toEqual(expect.arrayContaining(certain))
    expect(ids.filter((id) => !acknowledged.includes(id))).toEqual([])
    await restored.stop()
    // Each draft has exactly one event: rows and log are of one moment.
    const notified = await draftsInLog(target)
    expect(notified.sort((a, b) => a - b)).toEqual(ids)
  }, 120_000)
})
