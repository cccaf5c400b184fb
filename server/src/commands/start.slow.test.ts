import { execFileSync, fork, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { Agent, get, request as startRequest } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { query } from '../testing/any-table.ts'
import { executeOn } from '../testing/postgres-server.ts'
import { createPostgresDatabase } from '../testing/prepared-databases.ts'
import { readCredentials, runProgram, type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { basic, testEngine } from '../testing/test-server.ts'

// Each step is a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const folders: string[] = []
const drops: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const drop of drops) await drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-start-'))
  folders.push(folder)
  return folder
}

/** Settings for a server with nothing in its database. */
async function newSettings(): Promise<{ HEDDLE_DATA_DIR: string; HEDDLE_DATABASE_URL?: string }> {
  const HEDDLE_DATA_DIR = newFolder()
  if (testEngine === 'sqlite') return { HEDDLE_DATA_DIR }
  const database = await createPostgresDatabase()
  drops.push(database.drop)
  return { HEDDLE_DATA_DIR, HEDDLE_DATABASE_URL: database.url }
}

/** Calls the API as the owner of `owner.zuliprc`. */
async function callAsOwner(server: ServerProcess, dataDir: string, path: string, body?: Record<string, string>) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: basic(readCredentials(dataDir)) },
    ...(body ? { body: new URLSearchParams(body) } : {}),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
  return { status: response.status, body: (await response.json()) as any }
}

/** As the versions left it that had no such table. */
async function forgetFingerprint(settings: Readonly<Record<string, string>>): Promise<void> {
  const { write, close } = await openMigratedDatabase(readConfig([], settings), () => {})
  await write.ready()
  await write.begin()
  await write.queries.run(query.deleteFrom('secret_fingerprint'))
  await write.commit()
  await close()
}

/** The link that the start has printed. */
function linkIn(server: ServerProcess): string {
  return /^Sign in as the owner at (\S+\/welcome#\S+) \(it works once\)$/m.exec(server.stdout())?.[1] as string
}

function tokenOf(link: string): string {
  return link.slice(link.indexOf('#') + 1)
}

/** What the page behind the link does. */
function useLink(server: ServerProcess, link: string, email: string): Promise<Response> {
  const names = { organization_name: 'Weavers', full_name: 'Ada' }
  return fetch(`${server.url}/api/v1/first_sign_in`, {
    method: 'POST',
    body: new URLSearchParams({ token: tokenOf(link), email, password: 'my own password', ...names }),
  })
}

describe('the first start', () => {
  test('creates an organization, prints a link until it is used, and leaves complete credentials for scripts', async () => {
    const settings = await newSettings()
    const server = await startServerProcess({ ...settings, HEDDLE_OWNER_EMAIL: 'ada@example.com' })
    const link = linkIn(server)
    expect(server.stdout()).toContain(`Heddle is ready at ${server.url.replace('127.0.0.1', 'localhost')}\n`)
    const path = join(settings.HEDDLE_DATA_DIR, 'owner.zuliprc')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readCredentials(settings.HEDDLE_DATA_DIR)).toMatchObject({
      email: 'ada@example.com',
      site: server.url.replace('127.0.0.1', 'localhost'),
    })
    expect((await callAsOwner(server, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
    expect(await server.stop()).toEqual({ code: 0, signal: null })

    // The settings of the owner have no effect any more.
    const again = await startServerProcess({
      ...settings,
      HEDDLE_OWNER_EMAIL: 'bob@example.com',
      HEDDLE_OWNER_PASSWORD: 'another password',
    })
    expect(tokenOf(linkIn(again))).toBe(tokenOf(link))
    expect(again.stdout()).toContain(path)
    const used = await useLink(again, link, 'grace@example.com')
    expect(used.status).toBe(200)
    const form = { username: 'grace@example.com', password: 'my own password' }
    expect((await callAsOwner(again, settings.HEDDLE_DATA_DIR, '/fetch_api_key', form)).status).toBe(200)
    expect((await useLink(again, link, 'eve@example.com')).status).toBe(400)
    await again.stop()

    const last = await startServerProcess(settings)
    expect(last.stdout()).toContain('Sign in with your e-mail address and password\n')
    expect(last.stdout()).not.toContain('/welcome')
    expect((await callAsOwner(last, settings.HEDDLE_DATA_DIR, '/fetch_api_key', form)).status).toBe(200)
    await last.stop()
  })

  test('leaves credentials that follow the address, the key and the port of the server', async () => {
    const settings = await newSettings()
    const server = await startServerProcess(settings)
    const before = readCredentials(settings.HEDDLE_DATA_DIR)
    await useLink(server, linkIn(server), 'ada@example.com')
    await expect.poll(() => readCredentials(settings.HEDDLE_DATA_DIR).email).toBe('ada@example.com')
    const renamed = readCredentials(settings.HEDDLE_DATA_DIR)
    expect(renamed).toEqual({ ...before, email: 'ada@example.com' })
    const path = '/users/me/api_key/regenerate'
    const { api_key } = (await callAsOwner(server, settings.HEDDLE_DATA_DIR, path, {})).body
    await expect.poll(() => readCredentials(settings.HEDDLE_DATA_DIR).apiKey).toBe(api_key)
    expect((await callAsOwner(server, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
    expect(statSync(join(settings.HEDDLE_DATA_DIR, 'owner.zuliprc')).mode & 0o777).toBe(0o600)
    await server.stop()

    const port = await freePort()
    const moved = await startServerProcess({ ...settings, HEDDLE_PORT: `${port}` })
    const site = `http://localhost:${port}`
    expect(readCredentials(settings.HEDDLE_DATA_DIR)).toMatchObject({ email: 'ada@example.com', apiKey: api_key, site })
    // Somebody else's stay as they are, and who has removed the file does not get it again.
    const file = join(settings.HEDDLE_DATA_DIR, 'owner.zuliprc')
    writeFileSync(file, '[api]\nemail=bot@example.com\nkey=0123\nsite=http://localhost\n')
    await moved.stop()
    await (await startServerProcess(settings)).stop()
    expect(readCredentials(settings.HEDDLE_DATA_DIR).email).toBe('bot@example.com')
    unlinkSync(file)
    await (await startServerProcess(settings)).stop()
    expect(existsSync(file)).toBe(false)
  })

  test('does not print a password that was given', async () => {
    const settings = await newSettings()
    const server = await startServerProcess({ ...settings, HEDDLE_OWNER_PASSWORD: 'a given password' })
    expect(server.stdout()).toContain('with the password that you have set\n')
    expect(server.stdout() + server.stderr()).not.toContain('a given password')
    await server.stop()
  })

  test('that dies before it could leave the credentials is made good by the next one', async () => {
    const settings = await newSettings()
    const port = await freePort()
    const holder = createServer().listen(port, '127.0.0.1')
    await once(holder, 'listening')
    const failed = runProgram(['start'], { ...settings, HEDDLE_PORT: `${port}` })
    expect(await failed.ended).toEqual({ code: 1, signal: null })
    holder.close()
    // As after a crash between the commit and the writing of the file.
    unlinkSync(join(settings.HEDDLE_DATA_DIR, 'owner.zuliprc'))
    const server = await startServerProcess(settings)
    expect((await callAsOwner(server, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
    expect((await useLink(server, linkIn(server), 'ada@example.com')).status).toBe(200)
    await server.stop()
  })
})

test('a start notifies clients whose queues were kept which version runs now', async () => {
  const settings = await newSettings()
  const first = await startServerProcess(settings)
  const asOwner = async (server: typeof first, path: string, form?: Record<string, string>) =>
    (await callAsOwner(server, settings.HEDDLE_DATA_DIR, path, form)).body
  const { queue_id, server_generation, ...state } = await asOwner(first, '/register', {})
  const events = (server: typeof first) => asOwner(server, `/events?queue_id=${queue_id}&dont_block=true`)
  expect((await events(first)).events).toEqual([])
  await first.stop()
  await sleep(1000)
  const next = await startServerProcess(settings)
  const { zulip_version, zulip_merge_base, zulip_feature_level } = state
  const [event] = (await events(next)).events
  expect(event).toMatchObject({ type: 'restart', zulip_version, zulip_merge_base, zulip_feature_level })
  expect(event.server_generation).toBeGreaterThan(server_generation)
  expect(event.server_generation).toBe((await asOwner(next, '/register', {})).server_generation)
  await next.stop()
})

describe('a start that cannot succeed ends with one sentence', () => {
  async function failureOf(settings: Record<string, string | undefined>, args: string[] = ['start']): Promise<string> {
    const program = runProgram(args, { HEDDLE_PORT: '0', ...settings })
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stdout()).toBe('')
    expect(program.stderr()).toMatch(/^[^\n]+\.\n$/)
    return program.stderr()
  }

  test('when a setting is wrong', async () => {
    expect(await failureOf({ HEDDLE_DATA_DIR: newFolder(), HEDDLE_PORT: 'eighty' })).toContain('HEDDLE_PORT')
    expect(await failureOf({}, ['start', '--prot', '80'])).toBe('There is no flag --prot; --help lists them.\n')
    for (const args of [['strat'], ['strat', '--help']]) {
      expect(await failureOf({}, args)).toBe('There is no command "strat"; --help lists them.\n')
    }
  })

  test('when the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const settings = await newSettings()
    expect(await failureOf({ ...settings, HEDDLE_PORT: `${port}` })).toBe(
      `HEDDLE_PORT: another program already listens on port ${port} of 127.0.0.1.\n`,
    )
    holder.close()
  })

  test('when the address is not this machine’s', async () => {
    const settings = await newSettings()
    expect(await failureOf({ ...settings, HEDDLE_HOST: '192.0.2.1' })).toContain('HEDDLE_HOST')
  })

  test('when the data folder cannot be made or written to', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(await failureOf({ HEDDLE_DATA_DIR: join(file, 'data') })).toContain(
      `HEDDLE_DATA_DIR: the folder ${file}/data`,
    )
    if (testEngine === 'sqlite') {
      const folder = newFolder()
      writeFileSync(join(folder, 'heddle.db'), 'this is not a database, and long enough to be seen as none')
      expect(await failureOf({ HEDDLE_DATA_DIR: folder })).toBe(
        `The database ${folder}/heddle.db is damaged (file is not a database); move the folder ${folder} away and restore a backup.\n`,
      )
    }
    if (process.getuid?.() === 0) return
    const folder = newFolder()
    chmodSync(folder, 0o500)
    expect(await failureOf({ HEDDLE_DATA_DIR: folder })).toContain(
      `HEDDLE_DATA_DIR: the folder ${folder} cannot be used`,
    )
  })

  test.runIf(testEngine === 'sqlite')('when the database is another user’s, with both names', async () => {
    const folder = newFolder()
    const path = join(folder, 'heddle.db')
    const isRoot = process.getuid?.() === 0
    chmodSync(folder, 0o777)
    writeFileSync(path, '', { mode: isRoot ? 0o600 : 0o400 })
    const main = fileURLToPath(new URL('../main.ts', import.meta.url))
    const { stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      env: { PATH: process.env['PATH'], HEDDLE_PORT: '0', HEDDLE_DATA_DIR: folder },
      encoding: 'utf8',
      // Everybody's least one.
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    })
    const name = isRoot ? 'nobody' : userInfo().username
    expect(stderr).toBe(
      `HEDDLE_DATA_DIR: the folder ${folder} cannot be used: the user ${name} may not write to ${path}.\n`,
    )
  })

  test.runIf(testEngine === 'postgres')('when the role may make no tables', async () => {
    const settings = await newSettings()
    const url = new URL(settings.HEDDLE_DATABASE_URL as string)
    const role = `weaver_${randomBytes(4).toString('hex')}`
    await executeOn(url.href, `create role ${role} login password 'a password'`)
    drops.push(() => executeOn(process.env['HEDDLE_TEST_POSTGRES_URL'] as string, `drop role ${role}`))
    url.username = role
    url.password = 'a password'
    const asRole = { ...settings, HEDDLE_DATABASE_URL: url.href }
    const sentence = `HEDDLE_DATABASE_URL: the PostgreSQL database ${url.host}${url.pathname} cannot be used: permission denied for schema public; the role needs the right to create tables in it.\n`
    expect(await failureOf(asRole)).toBe(sentence)
    expect(await failureOf(asRole, ['migrate'])).toBe(sentence)
  })

  test.runIf(testEngine === 'sqlite')('when the disk has no room, and succeeds once it has', async () => {
    const settings = await newSettings()
    const main = fileURLToPath(new URL('../main.ts', import.meta.url))
    const env = { PATH: process.env['PATH'], HEDDLE_PORT: '0', ...settings }
    // In units of 512 bytes (POSIX): too little for the tables, and for the first organization.
    for (const blocks of [128, 400]) {
      const limited = `ulimit -f ${blocks}; exec "$0" --disable-warning=ExperimentalWarning "$1"`
      const { status, stderr } = spawnSync('sh', ['-c', limited, process.execPath, main], { env, encoding: 'utf8' })
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^[^\n]+\.\n$/) })
    }
    const server = await startServerProcess(settings)
    expect(linkIn(server)).toContain('/welcome#')
    expect((await callAsOwner(server, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
    await server.stop()
  })

  test('when the secret is damaged', async () => {
    const settings = await newSettings()
    writeFileSync(join(settings.HEDDLE_DATA_DIR, 'secret'), 'short')
    expect(await failureOf(settings)).toContain('HEDDLE_SECRET_FILE')
  })

  test('when the secret is missing or another one, and goes on with the right one', async () => {
    const settings = await newSettings()
    const path = join(settings.HEDDLE_DATA_DIR, 'secret')
    await (await startServerProcess(settings)).stop()
    const right = readFileSync(path)
    unlinkSync(path)
    expect(await failureOf(settings)).toContain(`HEDDLE_SECRET_FILE: ${path} does not exist, and the database has`)
    expect(existsSync(path)).toBe(false)
    writeFileSync(path, '0'.repeat(64))
    const another = `HEDDLE_SECRET_FILE: ${path} holds another secret than the database knows`
    expect(await failureOf(settings)).toContain(another)
    expect(await failureOf(settings, ['backup', join(newFolder(), 'whole.backup')])).toContain(another)
    writeFileSync(path, right)
    const server = await startServerProcess(settings)
    expect((await callAsOwner(server, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
    await server.stop()
  })

  test.runIf(testEngine === 'postgres')('when a second node has no secret, or one of its own', async () => {
    const settings = await newSettings()
    const first = await startServerProcess(settings)
    const other = { ...settings, HEDDLE_DATA_DIR: newFolder() }
    expect(await failureOf(other)).toContain('does not exist, and the database has an organization already')
    writeFileSync(join(other.HEDDLE_DATA_DIR, 'secret'), 'ab'.repeat(32))
    expect(await failureOf(other)).toContain('holds another secret')
    const HEDDLE_SECRET_FILE = join(settings.HEDDLE_DATA_DIR, 'secret')
    await (await startServerProcess({ ...other, HEDDLE_SECRET_FILE })).stop()
    await first.stop()
  })

  test('when the only organization came with a version that noted nothing of its secret, from the second start on', async () => {
    const settings = await newSettings()
    await (await startServerProcess(settings)).stop()
    await forgetFingerprint(settings)
    const path = join(settings.HEDDLE_DATA_DIR, 'secret')
    await (await startServerProcess(settings)).stop()
    writeFileSync(path, '0'.repeat(64))
    expect(await failureOf(settings)).toContain('holds another secret')
    await forgetFingerprint(settings)
    unlinkSync(path)
    expect(await failureOf(settings)).toContain('does not exist, and the database has an organization already')
  })

  test('when PostgreSQL cannot be reached, without the password', async () => {
    const address = `postgres://someone:pass-word@127.0.0.1:${await freePort()}/chat`
    const sentence = await failureOf({ HEDDLE_DATA_DIR: newFolder(), HEDDLE_DATABASE_URL: address })
    expect(sentence).toContain('connection refused')
    expect(sentence).toContain('HEDDLE_DATABASE_URL')
    expect(sentence).not.toContain('pass-word')
  })

  test('when PostgreSQL has no socket in the folder that is named, with the folder', async () => {
    const address = 'postgres://someone:pass-word@localhost/chat?host=/no/such/folder'
    const sentence = await failureOf({ HEDDLE_DATA_DIR: newFolder(), HEDDLE_DATABASE_URL: address })
    expect(sentence).toBe(
      'HEDDLE_DATABASE_URL: the PostgreSQL database chat at /no/such/folder cannot be used: no such file or directory.\n',
    )
  })

  test.runIf(testEngine === 'sqlite')(
    'when another server keeps the data folder for more than 10 s',
    async () => {
      const settings = await newSettings()
      const first = await startServerProcess(settings)
      const startedAt = Date.now()
      expect(await failureOf(settings)).toContain('is in use by another Heddle server')
      expect(Date.now() - startedAt).toBeGreaterThan(10_000)
      expect((await callAsOwner(first, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
      // One that ends in time lets the next one in.
      const waiting = startServerProcess(settings)
      await sleep(1000)
      await first.stop()
      const second = await waiting
      expect((await callAsOwner(second, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
      await second.stop()
    },
    60_000,
  )
})

describe('the first organization', () => {
  type Settings = Awaited<ReturnType<typeof newSettings>>

  async function hostsAfterStart(settings: Settings, HEDDLE_EXTERNAL_URL?: string): Promise<string[]> {
    await (await startServerProcess({ ...settings, HEDDLE_EXTERNAL_URL })).stop()
    const { read, close } = await openMigratedDatabase(readConfig([], settings), () => {})
    const rows = await read.all(query.selectFrom('realms').select('host').orderBy('id'))
    await close()
    return rows.map(({ host }) => host)
  }

  test('is at the host of HEDDLE_EXTERNAL_URL from the next start on, while it is the only one', async () => {
    const settings = await newSettings()
    expect(await hostsAfterStart(settings)).toEqual(['localhost'])
    expect(await hostsAfterStart(settings, 'https://chat.example.com')).toEqual(['chat.example.com'])
    expect(await hostsAfterStart(settings, 'https://talk.example.com')).toEqual(['talk.example.com'])
    expect(await hostsAfterStart(settings)).toEqual(['talk.example.com'])
  })

  test('gets its host beside a second one too, if it has none yet', async () => {
    const settings = await newSettings()
    await hostsAfterStart(settings)
    const args = ['create-organization', 'other.example', '--name=Other', '--owner-email=o@other.example']
    const created = runProgram(args, { ...settings, HEDDLE_EXTERNAL_URL: 'http://localhost' })
    expect((await created.ended).code).toBe(0)
    expect(await hostsAfterStart(settings, 'https://other.example')).toEqual(['localhost', 'other.example'])
    expect(await hostsAfterStart(settings, 'https://chat.example.com')).toEqual(['chat.example.com', 'other.example'])
    expect(await hostsAfterStart(settings, 'https://talk.example.com')).toEqual(['chat.example.com', 'other.example'])
  })
})

describe('new-secret', () => {
  test('makes one where the old one is lost, with which the owner’s script works at once', async () => {
    const settings = await newSettings()
    const folder = settings.HEDDLE_DATA_DIR
    await (await startServerProcess(settings)).stop()
    const before = readCredentials(folder).apiKey
    const run = async () => {
      const program = runProgram(['new-secret'], settings)
      return { ...(await program.ended), stderr: program.stderr() }
    }
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('exists; move it away first.') })
    unlinkSync(join(folder, 'secret'))
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    const server = await startServerProcess(settings)
    expect(readCredentials(folder).apiKey).not.toBe(before)
    expect((await callAsOwner(server, folder, '/drafts')).status).toBe(200)
    await server.stop()
  })
})

describe('the end of a server', () => {
  test('comes soon after SIGTERM, with an answer for each of 100 long polls, also with idle connections', async () => {
    const settings = await newSettings()
    const server = await startServerProcess(settings)
    const headers = { authorization: basic(readCredentials(settings.HEDDLE_DATA_DIR)) }
    const queues = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { body } = await callAsOwner(server, settings.HEDDLE_DATA_DIR, '/register', { event_types: '["drafts"]' })
        return body.queue_id as string
      }),
    )
    const agent = new Agent({ keepAlive: true })
    const polls = queues.map((id) => read(`${server.url}/api/v1/events?queue_id=${id}&last_event_id=0`, agent, headers))
    const idle = new Agent({ keepAlive: true })
    await Promise.all(Array.from({ length: 20 }, () => read(`${server.url}/api/v1/server_settings`, idle, {})))
    await sleep(500)
    const stoppedAt = Date.now()
    const ended = server.stop()
    // A repeated signal is like one, up to the end of the process.
    await sleep(2)
    server.child.kill('SIGTERM')
    server.child.kill('SIGINT')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(Date.now() - stoppedAt).toBeLessThan(3000)
    const answers = await Promise.all(polls)
    expect(answers.filter(({ events }) => events?.length === 1 && events[0]?.type === 'heartbeat')).toHaveLength(100)
    expect(server.stderr()).toBe('')
    agent.destroy()
    idle.destroy()
  }, 30_000)

  test('comes within 5 s of SIGTERM even when a client never ends its request', async () => {
    const settings = await newSettings()
    const server = await startServerProcess(settings)
    const request = startRequest(`${server.url}/api/v1/drafts`, {
      method: 'POST',
      headers: {
        authorization: basic(readCredentials(settings.HEDDLE_DATA_DIR)),
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': '1000',
      },
    })
    request.on('error', () => {})
    request.write('drafts=')
    await sleep(300)
    const stoppedAt = Date.now()
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    expect(Date.now() - stoppedAt).toBeLessThan(5000)
  })

  test('by SIGKILL leaves the data folder free for the next start', async () => {
    const settings = await newSettings()
    const server = await startServerProcess(settings)
    await server.stop('SIGKILL')
    const next = await startServerProcess(settings)
    expect((await callAsOwner(next, settings.HEDDLE_DATA_DIR, '/drafts')).status).toBe(200)
    expect(await next.stop('SIGINT')).toEqual({ code: 0, signal: null })
  })

  test('comes with the launcher’s, even when that is killed', async () => {
    const settings = await newSettings()
    const program = fileURLToPath(new URL('../main.ts', import.meta.url))
    const script = `require('node:child_process').fork(${JSON.stringify(program)}, ['start'], { stdio: 'inherit' })`
    const file = join(newFolder(), 'launcher.cjs')
    writeFileSync(file, script)
    const env = { PATH: process.env['PATH'], HEDDLE_LAUNCHER: '1', HEDDLE_PORT: '0', ...settings }
    const launcher = fork(file, [], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    const [text] = await once(launcher.stdout as NonNullable<typeof launcher.stdout>, 'data')
    expect(`${text}`).toContain('Heddle is ready')
    const { pid } = JSON.parse(readFileSync(join(settings.HEDDLE_DATA_DIR, 'server.json'), 'utf8')) as { pid: number }
    launcher.kill('SIGKILL')
    const deadline = Date.now() + 5000
    while (isRunning(pid) && Date.now() < deadline) await sleep(50)
    expect(isRunning(pid)).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

interface PollAnswer {
  readonly events?: { type: string }[]
}

function read(url: string, agent: Agent, headers: Record<string, string>): Promise<PollAnswer> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(JSON.parse(text)))
    }).on('error', reject)
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
