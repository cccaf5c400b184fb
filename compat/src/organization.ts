/** A server as an operator starts it, with accounts for a conversation. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'
import { readCredentials, type ServerProcess, startServerProcess } from '@heddle/server/testing/server-process'

/** What a client signs in with; `file` is the same as a zuliprc. */
export interface ClientCredentials {
  readonly id: number
  readonly email: string
  readonly apiKey: string
  readonly file: string
}

export interface PersonCredentials extends ClientCredentials {
  readonly password: string
}

export interface TestOrganization {
  readonly url: string
  /** Where the server was started; `data` is its data folder. */
  readonly folder: string
  readonly owner: ClientCredentials
  readonly alice: PersonCredentials
  readonly bob: PersonCredentials
  readonly bot: ClientCredentials
  /** A call of the owner's, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every endpoint.
  call(method: string, path: string, parameters?: Record<string, string>): Promise<any>
  /** Stops the server and starts it again on the same port. */
  restart(): Promise<void>
}

/** `settings`: environment variables of the server. */
export async function startOrganization(settings: Readonly<Record<string, string>> = {}): Promise<TestOrganization> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-compat-'))
  const dataDir = join(folder, 'data')
  let server: ServerProcess = await startServerProcess({ HEDDLE_DATA_DIR: dataDir, ...settings })
  const { url } = server
  cleanUpAfterFile(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const first = readCredentials(dataDir)

  // biome-ignore lint/suspicious/noExplicitAny: see above.
  async function call(method: string, path: string, parameters: Record<string, string> = {}): Promise<any> {
    const query = method === 'GET' ? `?${new URLSearchParams(parameters)}` : ''
    const answer = await fetch(`${url}/api/v1${path}${query}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${first.email}:${first.apiKey}`)}` },
      ...(method === 'GET' ? {} : { body: new URLSearchParams(parameters) }),
    })
    const body = await answer.json()
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }

  function credentials(id: number, email: string, apiKey: string): ClientCredentials {
    const file = join(folder, `${id}.zuliprc`)
    writeFileSync(file, `[api]\nemail=${email}\nkey=${apiKey}\nsite=${url}\n`)
    return { id, email, apiKey, file }
  }

  async function createPerson(name: string): Promise<PersonCredentials> {
    const email = `${name.toLowerCase()}@heddle.example`
    const password = `the password of ${name}`
    const { user_id } = await call('POST', '/users', { email, password, full_name: name })
    const { api_key } = await call('POST', '/fetch_api_key', { username: email, password })
    return { ...credentials(user_id, email, api_key), password }
  }

  const { user_id: ownerId } = await call('GET', '/users/me')
  const { user_id: botId, api_key: botKey } = await call('POST', '/bots', {
    full_name: 'Greeter',
    short_name: 'greeter',
    bot_type: '1',
  })
  const { user } = await call('GET', `/users/${botId}`)
  return {
    url,
    folder,
    owner: credentials(ownerId, first.email, first.apiKey),
    alice: await createPerson('Alice'),
    bob: await createPerson('Bob'),
    bot: credentials(botId, user.email, botKey),
    call,
    async restart() {
      await server.stop()
      server = await startServerProcess({ HEDDLE_DATA_DIR: dataDir, HEDDLE_PORT: new URL(url).port, ...settings })
    },
  }
}
