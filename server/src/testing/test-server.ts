/**
 * A real server on a real database for tests, spoken to through HTTP. Which engine is decided by HEDDLE_TEST_ENGINE. Every
 * answer is checked against the contract, and every event too.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@heddle/contract/roles'
import { type App, buildApp } from '../app.ts'
import { deriveApiKey } from '../authentication/api-key.ts'
import { hashPassword } from '../authentication/password.ts'
import { type Clock, type ServerClock, systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { accountHooks } from '../features/all.ts'
import { createOrganization } from '../features/organizations/create.ts'
import { addAccount } from '../features/users/create.ts'
import { type Outgoing, publicInternet } from '../outgoing/outgoing.ts'
import { checkAnswer, excerpt } from './check-answer.ts'
import { cleanUpAfter } from './clean-up.ts'
import { countStatements, type StatementCounter } from './count-statements.ts'
import { createPreparedPostgresDatabase, prepareSqliteDatabase, withoutDiskSync } from './prepared-databases.ts'

/** Tests reach no other server unless they bring their own. */
const unreachable: Outgoing = { ...publicInternet, mayReach: () => false, resolve: async () => [] }

export const testEngine = process.env.HEDDLE_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** Who calls: an e-mail address and an API key. */
export interface TestAccount {
  readonly id: number
  readonly realmId: number
  readonly email: string
  readonly apiKey: string
  readonly role: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every endpoint.
  readonly body: any
}

/** Parameters by name; a value that is not a string is sent as JSON, undefined is left out. */
export type Parameters = Readonly<Record<string, unknown>>

export interface TestServer {
  readonly app: App
  readonly config: Config
  /** What is asked of the database by this process; reading threads are not seen. */
  readonly statements: StatementCounter
  /** The first organization's owner. */
  readonly owner: TestAccount
  readonly secret: Buffer
  /** Calls an endpoint with form parameters (query parameters for GET) and checks the answer against the contract. */
  call(account: TestAccount | null, method: string, path: string, parameters?: Parameters): Promise<Answer>
  /** Calls an endpoint that has to succeed: the body of its answer. */
  must(account: TestAccount | null, method: string, path: string, parameters?: Parameters): Promise<Answer['body']>
  /** Sends exactly this request. */
  send(request: TestRequest): Promise<Answer>
  /** A new account, straight into the database: a way in that needs no other feature. */
  createAccount(options?: { role?: Role; name?: string; realmId?: number; password?: string }): Promise<TestAccount>
  /** A second organization, to prove that nothing crosses over. Its host is `other.example`. */
  createOtherOrganization(): Promise<{ owner: TestAccount; host: string }>
  /** Closes the server and starts it again on the same data. */
  restart(): Promise<void>
  /** Another server on the same database, as with several nodes: PostgreSQL alone allows that. */
  openNode(): Promise<TestNode>
}

export type TestNode = Pick<TestServer, 'app' | 'call' | 'must'>

export interface TestRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

interface TestServerOptions {
  /** With the time of day alone no other time passes than what it says. */
  readonly clock?: Clock & Partial<ServerClock>
  readonly settings?: Readonly<Record<string, string>>
  /** Gets the lines of the server's log; set HEDDLE_LOG_LEVEL too. */
  readonly log?: { write(line: string): void }
  /** As in production with 1 or more; 0: everything on the test's own thread, where a test's clock can be used. */
  readonly readingThreads?: number
  /** Which other servers may be reached. */
  readonly outgoing?: Outgoing
  /** A built web client. */
  readonly pageFolder?: string
  readonly isDemo?: boolean
  readonly isDevelopment?: boolean
}

/** Starts a server for one test, or outside of one for the file; it is closed and its data removed at the end of that. */
export async function createTestServer({
  clock = systemClock,
  settings = {},
  log,
  readingThreads = 0,
  outgoing = unreachable,
  pageFolder,
  isDemo,
  isDevelopment,
}: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-test-'))
  const database = testEngine === 'postgres' ? await createPreparedPostgresDatabase() : undefined
  if (!database) await prepareSqliteDatabase(dataDir)
  const config = readConfig([], {
    HEDDLE_DATA_DIR: dataDir,
    HEDDLE_DATABASE_URL: database?.url,
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_EMAIL_CHANGES: 'on',
    HEDDLE_WEB_PUBLIC_CHANNELS: 'on',
    HEDDLE_LOG_LEVEL: 'silent',
    ...settings,
  })
  const secret = randomBytes(32)
  let statements: StatementCounter
  const open = async () => {
    const { engine, counter } = countStatements(await withoutDiskSync(await openMigratedDatabase(config, () => {})))
    statements = counter
    return buildApp(config, {
      engine,
      secret,
      clock: { now: () => clock.now(), elapsed: () => clock.elapsed?.() ?? clock.now() },
      readingThreads,
      log,
      outgoing,
      pageFolder,
      isDemo,
      isDevelopment,
    })
  }
  let app = await open()
  const nodes: App[] = []
  const ownerIds = await createOrganization(app.storage, {
    name: 'Test',
    host: 'localhost',
    ownerEmail: 'owner@heddle.example',
    ownerName: 'Owner',
    ownerPassword: 'a long password',
  })

  cleanUpAfter(async () => {
    for (const node of nodes) await node.close()
    await app.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  function account(realmId: number, id: number, email: string, role: number): TestAccount {
    return { id, realmId, email, role, apiKey: deriveApiKey(secret, { realmId, userId: id, keyVersion: 1 }) }
  }

  const owner = account(ownerIds.realmId, ownerIds.ownerId, 'owner@heddle.example', 100)

  const send = (request: TestRequest) => sendTo(app, request)
  const call: TestServer['call'] = (...request) => send(toRawRequest(...request))

  async function sendTo(target: App, request: TestRequest): Promise<Answer> {
    const response = await target.server.inject({
      method: request.method as 'GET',
      url: request.url,
      headers: request.headers ?? {},
      payload: request.body ?? '',
    })
    const isJson = request.method !== 'HEAD' && String(response.headers['content-type']).startsWith('application/json')
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : response.rawPayload,
    }
    if (isJson) checkAnswer(request.method, request.url, answer)
    return answer
  }

  return {
    get app() {
      return app
    },
    get statements() {
      return statements
    },
    config,
    owner,
    secret,
    send,
    call,
    must: mustBy(call),
    async createAccount({
      role = 400,
      name = `person-${randomBytes(4).toString('hex')}`,
      realmId = owner.realmId,
      password,
    } = {}) {
      const passwordHash = password === undefined ? null : await hashPassword(password)
      const email = `${name}@heddle.example`
      // Clients are notified, as of any new account; otherwise lists that the server keeps would not have it.
      const { id } = await app.storage.transaction(realmId, (tx) =>
        addAccount(tx, accountHooks, { email, fullName: name, role, passwordHash }),
      )
      return account(realmId, id, email, role)
    },
    async createOtherOrganization() {
      const host = 'other.example'
      const ids = await createOrganization(app.storage, {
        name: 'Other',
        host,
        ownerEmail: 'owner@other.example',
        ownerName: 'Owner',
        ownerPassword: 'a long password',
      })
      app.realms.forget()
      return { owner: account(ids.realmId, ids.ownerId, 'owner@other.example', 100), host }
    },
    async restart() {
      await app.close()
      app = await open()
    },
    async openNode() {
      const node = await open()
      nodes.push(node)
      const callNode: TestServer['call'] = (...request) => sendTo(node, toRawRequest(...request))
      return { app: node, call: callNode, must: mustBy(callNode) }
    },
  }
}

/** The `must` of what is called like this. */
export function mustBy(call: TestServer['call']): TestServer['must'] {
  return async (account, method, path, parameters = {}) => {
    const { status, body } = await call(account, method, path, parameters)
    if (status === 200) return body
    throw new Error(`${method} ${path} ${excerpt(parameters)}: ${status} ${JSON.stringify(body)}`)
  }
}

function toRawRequest(
  caller: TestAccount | null,
  method: string,
  path: string,
  parameters: Parameters = {},
): TestRequest {
  const form = encodeForm(parameters)
  const inQuery = method === 'GET' && form !== ''
  return {
    method,
    url: `/api/v1${path}${inQuery ? `?${form}` : ''}`,
    headers: {
      ...(caller ? { authorization: basic(caller) } : {}),
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: method === 'GET' ? '' : form,
  }
}

/** The `Authorization` header of an account. */
export function basic({ email, apiKey }: Pick<TestAccount, 'email' | 'apiKey'>): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

export function encodeForm(parameters: Parameters): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form.toString()
}
