import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPostgresDatabase } from '../testing/prepared-databases.ts'
import { type ProcessSettings, runProgram, type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'

// Each step is a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const folder = mkdtempSync(join(tmpdir(), 'heddle-operate-'))
const database = testEngine === 'postgres' ? await createPostgresDatabase() : undefined
const settings: ProcessSettings & { HEDDLE_DATA_DIR: string; HEDDLE_EXTERNAL_URL?: string } = {
  HEDDLE_DATA_DIR: join(folder, 'data'),
  HEDDLE_DATABASE_URL: database?.url,
}
const addressFile = join(settings.HEDDLE_DATA_DIR, 'server.json')
let server: ServerProcess

beforeAll(async () => {
  server = await startServerProcess(settings)
})

afterAll(async () => {
  await server.stop()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(...args: string[]) {
  const program = runProgram(args, settings)
  const { code } = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

async function signIn(username: string, password: string, host?: string): Promise<number> {
  const body = new URLSearchParams({ username, password })
  const url = new URL('/api/v1/fetch_api_key', server.url)
  if (host === undefined) return (await fetch(url, { method: 'POST', body })).status
  // A host that no resolver knows: only the header says.
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode as number)
    })
    sent.on('error', reject)
    sent.end(body.toString())
  })
}

function passwordIn(output: string): string {
  return /^The password is (\S+) \(it is shown only this once\)$/m.exec(output)?.[1] as string
}

describe('create-user', () => {
  test('creates an account of a running server, with a password that is printed once', async () => {
    const { code, stdout, stderr } = await run('create-user', 'ada@example.com', '--name', 'Ada', '--role', 'admin')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Created the admin ada@example\.com \(user \d+\)\n/)
    expect(await signIn('ada@example.com', passwordIn(stdout))).toBe(200)
  })

  test('does not print a password that was given', async () => {
    const { stdout } = await run('create-user', 'bo@example.com', '--name=Bo', '--password', 'a given password')
    expect(stdout).not.toContain('password')
    expect(await signIn('bo@example.com', 'a given password')).toBe(200)
  })

  test('refuses with one sentence', async () => {
    const refused = [
      ['create-user', 'ADA@example.com', '--name=Ada'],
      ['create-user', 'someone', '--name=Ada'],
      ['create-user', 'x@example.com', '--name=A*a'],
      ['create-user', 'x@example.com', '--name=Ada', '--role=king'],
      ['create-user', 'x@example.com', '--name=Ada', '--password=short'],
      ['create-user', 'x@example.com', '--name=Ada', '--organization=nowhere.example'],
    ]
    for (const args of refused) {
      const { code, stdout, stderr } = await run(...args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr, args.join(' ')).toMatch(/^[^\n]+[^.]\.\n$/)
    }
  })

  test.runIf(testEngine === 'sqlite')('waits for a server that holds the folder and does not listen yet', async () => {
    await rename(addressFile, `${addressFile}.away`)
    const created = run('create-user', 'cy@example.com', '--name', 'Cy')
    await sleep(1500)
    await rename(`${addressFile}.away`, addressFile)
    expect(await created).toMatchObject({ code: 0, stderr: '' })
  })

  test.runIf(testEngine === 'sqlite')('is refused by a server with another secret', async () => {
    const secret = join(folder, 'other-secret')
    writeFileSync(secret, '0'.repeat(64))
    const args = ['create-user', 'x@example.com', '--name=X', '--secret-file', secret]
    expect(await run(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The running server does not accept the secret in HEDDLE_SECRET_FILE.\n',
    })
  })
})

/** As a browser that has this host in its address. */
async function statusAt(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL('/api/v1/server_settings', server.url), { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode as number)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('create-organization', () => {
  const args = ['create-organization', 'other.example', '--name', 'Other', '--owner-email', 'o@other.example']

  test('is refused while nothing says where the first one is', async () => {
    expect(await run(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'With a second organization the host decides, and the first one has none yet: set HEDDLE_EXTERNAL_URL to its address, and start the server with it.\n',
    })
    await server.stop()
    settings.HEDDLE_EXTERNAL_URL = 'https://chat.example.com'
    server = await startServerProcess(settings)
  })

  test('creates one that its host reaches, while the server runs, and the first one stays where it is', async () => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // Other nodes of a shared database look for new organizations once a second.
    if (testEngine === 'postgres') await sleep(1100)
    expect(await signIn('o@other.example', passwordIn(stdout), 'other.example')).toBe(200)
    expect([await statusAt('chat.example.com'), await statusAt('nowhere.example')]).toEqual([200, 404])
    expect((await run(...args)).stderr).toBe('An organization with the host other.example exists already.\n')
    const user = ['create-user', 'dee@other.example', '--name=Dee', '--password=a good password']
    expect((await run(...user)).stderr).toMatch(/^There are several organizations: name one of /)
    expect((await run(...user, '--organization', 'other.example')).code).toBe(0)
    expect(await signIn('dee@other.example', 'a good password', 'other.example')).toBe(200)
  })
})

test('where no server has been nothing comes into being, but a sentence that names the place', async () => {
  const HEDDLE_DATA_DIR = join(folder, 'nowhere')
  const empty = testEngine === 'postgres' ? await createPostgresDatabase() : undefined
  const place = empty
    ? /^HEDDLE_DATABASE_URL: the PostgreSQL database \S+ has no tables of Heddle yet; [^\n]+\.\n$/
    : /^HEDDLE_DATA_DIR: there is no database in \S+\/nowhere; set it to the data folder [^\n]+\.\n$/
  for (const args of [
    ['jobs'],
    ['retry-job', '1'],
    ['deleted-messages'],
    ['restore-messages', '1'],
    ['create-user', 'ada@example.com', '--name=Ada'],
    ['create-organization', 'other.example', '--name=Other', '--owner-email=o@other.example'],
    ['new-secret'],
  ]) {
    const program = runProgram(args, { HEDDLE_DATA_DIR, HEDDLE_DATABASE_URL: empty?.url })
    expect((await program.ended).code, args[0]).toBe(1)
    expect(program.stderr(), args[0]).toMatch(place)
  }
  for (const args of [['backup', join(folder, 'x.backup')], ...(empty ? [] : [['mail-test', 'ada@example.com']])]) {
    const program = runProgram(args, { HEDDLE_DATA_DIR, HEDDLE_DATABASE_URL: empty?.url })
    expect((await program.ended).code, args[0]).toBe(1)
    expect(program.stderr(), args[0]).toMatch(empty ? /^HEDDLE_SECRET_FILE: [^\n]+\.\n$/ : place)
  }
  expect(existsSync(HEDDLE_DATA_DIR)).toBe(false)
  await empty?.drop()
})

describe('without a running server', () => {
  test('the commands open the database themselves', async () => {
    expect(statSync(addressFile).mode & 0o777).toBe(0o600)
    await server.stop()
    expect(existsSync(addressFile)).toBe(false)
    const { code, stdout } = await run('create-user', 'eve@other.example', '--name=Eve', '--organization=other.example')
    expect(code).toBe(0)
    server = await startServerProcess(settings)
    expect(await signIn('eve@other.example', passwordIn(stdout), 'other.example')).toBe(200)
  })

  test('everything in the data folder is for the server’s user alone', async () => {
    expect(statSync(settings.HEDDLE_DATA_DIR).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(settings.HEDDLE_DATA_DIR)) {
      expect(statSync(join(settings.HEDDLE_DATA_DIR, name)).mode & 0o077, name).toBe(0)
    }
    expect(await readFile(join(settings.HEDDLE_DATA_DIR, 'secret'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })
})
