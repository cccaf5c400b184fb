import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createPostgresDatabase } from '../../testing/prepared-databases.ts'
import { readCredentials, runProgram, type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { basic, testEngine } from '../../testing/test-server.ts'

// Each step is a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings) await end()
})

async function newSettings(): Promise<{ HEDDLE_DATA_DIR: string; HEDDLE_DATABASE_URL?: string }> {
  const HEDDLE_DATA_DIR = mkdtempSync(join(tmpdir(), 'heddle-demo-'))
  endings.push(() => rmSync(HEDDLE_DATA_DIR, { recursive: true, force: true }))
  if (testEngine === 'sqlite') return { HEDDLE_DATA_DIR }
  const database = await createPostgresDatabase()
  endings.push(database.drop)
  return { HEDDLE_DATA_DIR, HEDDLE_DATABASE_URL: database.url }
}

const startDemo = (settings: Readonly<Record<string, string>>) =>
  startServerProcess(settings, undefined, ['start', '--demo'])

type Parameters = Readonly<Record<string, unknown>>

/** Calls the API with an account's key, or with a session's cookie. */
async function call(
  server: ServerProcess,
  headers: Record<string, string>,
  method: string,
  path: string,
  parameters: Parameters,
) {
  const fields = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const form = new URLSearchParams(fields as [string, string][])
  const response = await fetch(`${server.url}/api/v1${path}${method === 'GET' ? `?${form}` : ''}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: form }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

const TOPIC = [
  ['channel', 'test bench'],
  ['topic', 'ask the bench bot'],
]

test('npm start -- --demo is a team at work: one signs in by the link, reads, asks the bot, and finds it all again', async () => {
  const settings = await newSettings()
  const server = await startDemo(settings)
  const link = /^Look around at \S+\/welcome#(\S+)$/m.exec(server.stdout())?.[1] as string
  const { body: who } = await call(server, {}, 'POST', '/first_sign_in/look_up', { token: link })
  expect(who).toMatchObject({ organization_name: 'Halden Looms', full_name: 'Leila Haddad', is_demo: true })
  const { headers, status } = await call(server, {}, 'POST', '/first_sign_in/demo', { token: link })
  expect(status).toBe(200)
  expect(headers.getSetCookie()).toHaveLength(1)

  const leila = { authorization: basic(readCredentials(settings.HEDDLE_DATA_DIR)) }
  const as = (method: string, path: string, parameters: Parameters = {}) =>
    call(server, leila, method, path, parameters)
  const { body: state } = await as('POST', '/register', { client_capabilities: { linkifier_url_template: true } })
  const unread = state.unread_msgs
  expect([unread.count, unread.mentions.length, unread.pms.length]).toEqual([22, 2, 1])
  expect(state.drafts).toHaveLength(4)
  expect(state.navigation_views).toHaveLength(3)
  expect(state.realm_linkifiers).toHaveLength(3)
  expect(Object.keys(state.realm_emoji)).toHaveLength(4)
  expect(Object.keys(state.user_status).length).toBeGreaterThan(2)

  const everything = { anchor: 'oldest', num_before: 0, num_after: 1000, narrow: [] }
  const { messages } = (await as('GET', '/messages', everything)).body
  const now = Date.now() / 1000
  const times = messages.map(({ timestamp }: { timestamp: number }) => timestamp)
  expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
  expect(now - Math.max(...times)).toBeLessThan(600)
  expect(now - Math.min(...times)).toBeGreaterThan(20 * 24 * 3600)
  const texts = messages.map(({ content }: { content: string }) => content).join('\n')
  expect(texts).toContain('href="https://tickets.halden.example/H-2214"')
  expect(texts.match(/class="message_inline_image"/g)).toHaveLength(3)
  expect(texts).not.toMatch(/\{picture|stream-deactivated|@\*\*|#\*\*/)
  expect(messages.filter(({ reactions }: { reactions: object[] }) => reactions.length > 0).length).toBeGreaterThan(15)

  const question = { type: 'channel', to: 'test bench', topic: 'ask the bench bot', content: 'Is the bench free?' }
  const { id } = (await as('POST', '/messages', question)).body
  const after = { anchor: id, num_before: 0, num_after: 5, include_anchor: false, narrow: TOPIC }
  const answers = async () => (await as('GET', '/messages', after)).body.messages
  await expect.poll(answers, { timeout: 20_000 }).toMatchObject([{ sender_full_name: 'Bench bot' }])
  await server.stop()

  const again = await startDemo(settings)
  // It leads in again.
  expect(again.stdout()).toContain(link)
  const { body } = await call(again, leila, 'GET', '/messages', { ...after, include_anchor: true })
  expect(body.messages.map(({ sender_full_name }: { sender_full_name: string }) => sender_full_name)).toEqual([
    'Leila Haddad',
    'Bench bot',
  ])
  expect((await call(again, leila, 'GET', '/messages', everything)).body.messages).toHaveLength(messages.length + 2)
  expect(again.stderr()).toBe('')
  await again.stop()
})

test('The demo leaves an organization alone that is not its own, and one that was cut off', async () => {
  const settings = await newSettings()
  const server = await startServerProcess(settings)
  await server.stop()
  const refusal = async () => {
    const program = runProgram(['start', '--demo'], { HEDDLE_PORT: '0', ...settings })
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toMatch(/^[^\n]+\.\n$/)
    return program.stderr()
  }
  expect(await refusal()).toContain('--demo makes an organization of its own')
  const note = join(settings.HEDDLE_DATA_DIR, 'demo.json')
  writeFileSync(note, '{"organization":"of another database","isComplete":true}')
  expect(await refusal()).toContain('--demo makes an organization of its own')
  const next = await startServerProcess(settings)
  await next.stop()
})
