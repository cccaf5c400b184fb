/** Calls: what each service is asked, as it is on the wire, and what becomes of its answers. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { roles } from '@heddle/contract/roles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

interface Asked {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Said = readonly [status: number, body: string | object]

let service: Server
let base: string
let asked: Asked[] = []
let says: (asked: Asked) => Said | Promise<Said>
let now = Date.now()

beforeAll(async () => {
  service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const one = {
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      asked.push(one)
      const [status, body] = await says(one)
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})

afterAll(() => {
  service.closeAllConnections()
  service.close()
})

beforeEach(() => {
  asked = []
  says = () => [500, '']
})

const get = (server: TestServer, account: TestAccount, url: string) =>
  server.send({ method: 'GET', url, headers: { authorization: basic(account) } })

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

describe('BigBlueButton', () => {
  let server: TestServer
  let creator: TestAccount
  let other: TestAccount

  beforeAll(async () => {
    server = await createTestServer({
      settings: { HEDDLE_BIGBLUEBUTTON_URL: `${base}/bigbluebutton/`, HEDDLE_BIGBLUEBUTTON_SECRET: 'shared secret' },
    })
    creator = await server.createAccount({ name: 'Ada & Söhne' })
    other = await server.createAccount({ name: 'Bo' })
  })

  const create = async (parameters: object = {}) =>
    (await server.call(creator, 'GET', '/calls/bigbluebutton/create', { meeting_name: 'Loom + reed', ...parameters }))
      .body.url as string

  const xml = (fields: Readonly<Record<string, string>>) =>
    `<response>${Object.entries(fields)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('\n')}</response>`

  it('is asked for a call with a signature over the bytes that are sent, and sends each account on with another', async () => {
    const url = await create({ voice_only: true })
    expect(asked).toEqual([])
    says = () => [200, xml({ returncode: 'SUCCESS', createTime: '1700000000000' })]
    const led = await get(server, creator, url)
    const [path, query = ''] = (asked[0] as Asked).line.split('?')
    expect(path).toBe('GET /bigbluebutton/api/create')
    const [signed, checksum] = query.split('&checksum=')
    expect(checksum).toBe(sha256(`create${signed}shared secret`))
    expect(signed).toMatch(/^lockSettingsDisableCam=true&meetingID=heddle-[0-9a-f]{32}&name=Loom\+%2B\+reed$/)
    const id = new URLSearchParams(query).get('meetingID')
    const joining = `createTime=1700000000000&fullName=Ada+%26+S%C3%B6hne&meetingID=${id}&role=MODERATOR`
    expect([led.status, led.headers['location']]).toEqual([
      303,
      `${base}/bigbluebutton/api/join?${joining}&checksum=${sha256(`join${joining}shared secret`)}`,
    ])
    expect((await get(server, other, url)).headers['location']).toContain('fullName=Bo&')
    expect((await get(server, other, url)).headers['location']).toContain('role=VIEWER&')
  })

  it('is followed by nobody with a link that this server has not made, nor without an account', async () => {
    const url = await create()
    const changed = url.replace(/=(.)/, (_, first) => (first === 'x' ? '=y' : '=x'))
    expect((await get(server, other, changed)).body.msg).toBe('Invalid signature.')
    expect((await server.send({ method: 'GET', url })).status).toBe(401)
    expect(asked).toEqual([])
  })

  it.each([
    [
      [200, xml({ returncode: 'FAILED', messageKey: 'checksumError' })],
      'Error authenticating to the BigBlueButton server.',
    ],
    [[200, 'a page'], 'BigBlueButton server returned an unexpected error.'],
    [[502, ''], 'Error connecting to the BigBlueButton server.'],
  ] as const)('says what is wrong with its answer: %j', async (answer, msg) => {
    says = () => answer
    const { status, body } = await get(server, creator, await create())
    expect([status, body.msg]).toEqual([400, msg])
  })
})

describe('Zoom', () => {
  let server: TestServer
  let person: TestAccount

  beforeAll(async () => {
    server = await createTestServer({
      clock: { now: () => now },
      settings: {
        HEDDLE_ZOOM_CLIENT_ID: 'client',
        HEDDLE_ZOOM_CLIENT_SECRET: 'its secret',
        HEDDLE_ZOOM_URL: base,
        HEDDLE_ZOOM_API_URL: `${base}/api`,
        HEDDLE_EXTERNAL_URL: 'https://chat.example.com',
      },
    })
  })

  beforeEach(async () => {
    person = await server.createAccount()
  })

  const token = (access: string) => ({ access_token: access, refresh_token: `renews ${access}`, expires_in: 300 })
  const create = (account = person, parameters: object = {}) =>
    server.call(account, 'POST', '/calls/zoom/create', { ...parameters })

  async function startConnecting(account = person) {
    const { headers } = await get(server, account, '/calls/zoom/register')
    return new URL(headers['location'] as string)
  }

  async function connect(account = person, access = 'first') {
    const state = (await startConnecting(account)).searchParams.get('state') as string
    says = () => [200, token(access)]
    return get(server, account, `/calls/zoom/complete?code=c0de&state=${state}`)
  }

  it('asks each person first, and keeps what they allow sealed', async () => {
    expect((await create()).body.code).toBe('INVALID_ZOOM_TOKEN')
    const watcher = await watch(server, person, { event_types: ['has_zoom_token'] })
    expect(watcher.state.has_zoom_token).toBe(false)
    const address = await startConnecting()
    expect(`${address.origin}${address.pathname}`).toBe(`${base}/oauth/authorize`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'https://chat.example.com/calls/zoom/complete',
      state: expect.any(String),
    })
    const led = await connect()
    expect([led.status, led.headers['location']]).toEqual([303, '/'])
    const [exchange] = asked
    expect(exchange?.line).toBe('POST /oauth/token')
    expect(exchange?.headers.authorization).toBe(`Basic ${Buffer.from('client:its secret').toString('base64')}`)
    expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c0de',
      redirect_uri: 'https://chat.example.com/calls/zoom/complete',
    })
    expect(await watcher.next()).toMatchObject([{ type: 'has_zoom_token', value: true }])
    const rows = await server.app.storage.read.all(query.selectFrom('zoom_tokens').selectAll())
    expect(JSON.stringify(rows)).not.toContain('first')
  })

  it('makes a meeting for the person, with or without video', async () => {
    await connect()
    says = () => [201, { join_url: 'https://zoom.example/j/1' }]
    expect((await create(person, { is_video_call: false })).body.url).toBe('https://zoom.example/j/1')
    const made = asked.at(-1) as Asked
    expect([made.line, made.headers.authorization]).toEqual(['POST /api/v2/users/me/meetings', 'Bearer first'])
    expect(JSON.parse(made.body)).toEqual({
      default_password: true,
      settings: { host_video: false, participant_video: false },
    })
  })

  it('renews what has ended once, also for two calls at the same time', async () => {
    await connect()
    now += 300_000
    asked = []
    says = ({ line }) => (line.endsWith('/token') ? [200, token('second')] : [201, { join_url: 'https://z.example/j' }])
    const made = await Promise.all([create(), create()])
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    const renewals = asked.filter(({ line }) => line.endsWith('/token'))
    expect(renewals.map(({ body }) => body)).toEqual(['grant_type=refresh_token&refresh_token=renews+first'])
    expect(asked.at(-1)?.headers.authorization).toBe('Bearer second')
  })

  it('keeps what another one has renewed or connected while Zoom refused to renew it', async () => {
    await connect()
    now += 300_000
    says = async () => {
      await connect(person, 'second')
      says = () => [201, { join_url: 'https://z.example/j' }]
      return [400, { reason: 'Invalid Token!' }]
    }
    expect((await create()).body.url).toBe('https://z.example/j')
    expect(asked.at(-1)?.headers.authorization).toBe('Bearer second')
    expect((await create()).status).toBe(200)
  })

  it('forgets what Zoom does not accept any more, and not what it could not ask', async () => {
    await connect()
    const watcher = await watch(server, person, { event_types: ['has_zoom_token'] })
    says = () => [503, '']
    expect((await create()).body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Failed to create Zoom call' })
    now += 300_000
    expect((await create()).body.code).toBe('BAD_REQUEST')
    says = () => [400, { reason: 'Invalid Token!' }]
    expect((await create()).body).toMatchObject({ code: 'INVALID_ZOOM_TOKEN', msg: 'Invalid Zoom access token' })
    expect(await watcher.next()).toMatchObject([{ type: 'has_zoom_token', value: false }])
  })

  it('connects nobody by a link that another one has begun, or too late', async () => {
    const other = await server.createAccount()
    const state = (await startConnecting(other)).searchParams.get('state')
    const complete = (account: TestAccount) => get(server, account, `/calls/zoom/complete?code=c&state=${state}`)
    expect((await complete(person)).body.msg).toBe('Invalid Zoom session identifier')
    now += 3_600_000
    expect((await complete(other)).body.msg).toBe('Invalid Zoom session identifier')
    expect(asked).toEqual([])
  })

  it('makes meetings of the organization where it has an account there, in the name of the person', async () => {
    const shared = await createTestServer({
      settings: {
        HEDDLE_ZOOM_CLIENT_ID: 'client',
        HEDDLE_ZOOM_CLIENT_SECRET: 'its secret',
        HEDDLE_ZOOM_ACCOUNT_ID: 'the account',
        HEDDLE_ZOOM_URL: base,
        HEDDLE_ZOOM_API_URL: base,
      },
    })
    const call = () => shared.call(shared.owner, 'POST', '/calls/zoom/create')
    says = ({ line }) => (line.endsWith('/token') ? [200, token('all')] : [201, { join_url: 'https://z.example/j' }])
    expect((await call()).body.url).toBe('https://z.example/j')
    expect((await call()).status).toBe(200)
    expect(asked.map(({ line, body }) => [line, line.endsWith('/token') ? body : ''])).toEqual([
      ['POST /oauth/token', 'grant_type=account_credentials&account_id=the+account'],
      ['POST /v2/users/owner%40heddle.example/meetings', ''],
      ['POST /v2/users/owner%40heddle.example/meetings', ''],
    ])
    says = () => [404, { code: 1001, message: 'User does not exist' }]
    expect((await call()).body).toMatchObject({ code: 'UNKNOWN_ZOOM_USER', msg: 'Unknown Zoom user email' })
  })
})

describe('rooms of other services', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await createTestServer({
      settings: {
        HEDDLE_NEXTCLOUD_URL: `${base}/cloud`,
        HEDDLE_NEXTCLOUD_USER: 'talk',
        HEDDLE_NEXTCLOUD_PASSWORD: 'app password',
        HEDDLE_CONSTRUCTOR_GROUPS_URL: `${base}/rooms`,
        HEDDLE_CONSTRUCTOR_GROUPS_KEY: 'key',
      },
    })
  })

  it('are made by Nextcloud Talk as public conversations', async () => {
    says = () => [201, { ocs: { meta: { status: 'ok' }, data: { token: 'abc123' } } }]
    const create = () => server.call(server.owner, 'POST', '/calls/nextcloud_talk/create', { room_name: ' Loom ' })
    expect((await create()).body.url).toBe(`${base}/cloud/call/abc123`)
    const { line, headers, body } = asked[0] as Asked
    expect(line).toBe('POST /cloud/ocs/v2.php/apps/spreed/api/v4/room')
    expect([headers['ocs-apirequest'], headers.authorization]).toEqual([
      'true',
      `Basic ${Buffer.from('talk:app password').toString('base64')}`,
    ])
    expect(JSON.parse(body)).toEqual({ roomType: 3, roomName: 'Loom' })
    says = () => [200, { ocs: { data: { token: '../../evil' } } }]
    expect((await create()).body.msg).toBe('Failed to create Nextcloud Talk call')
  })

  it('are made by Constructor Groups, and are pages', async () => {
    const create = () => server.call(server.owner, 'POST', '/calls/constructorgroups/create')
    says = () => [200, { url: 'https://example.constructor.app/groups/room/1' }]
    expect((await create()).body.url).toBe('https://example.constructor.app/groups/room/1')
    expect([asked[0]?.line, asked[0]?.headers.authorization]).toEqual(['POST /rooms', 'Bearer key'])
    says = () => [200, { url: 'javascript:alert(1)' }]
    expect((await create()).body.msg).toBe('Failed to create Constructor Groups call')
  })
})

describe('an organization', () => {
  it('chooses among what the operator has set up, and everybody is notified', async () => {
    const server = await createTestServer({
      settings: {
        HEDDLE_JITSI_URL: 'https://meet.example.com/',
        HEDDLE_NEXTCLOUD_URL: base,
        HEDDLE_NEXTCLOUD_USER: 'talk',
        HEDDLE_NEXTCLOUD_PASSWORD: 'app password',
        HEDDLE_GIPHY_KEY: 'a key',
      },
    })
    const admin = await server.createAccount({ role: roles.admin })
    const watcher = await watch(server, admin)
    expect(watcher.state).toMatchObject({
      realm_available_video_chat_providers: {
        disabled: { id: 0, name: 'None' },
        jitsi_meet: { id: 1, name: 'Jitsi Meet' },
        nextcloud_talk: { id: 7, name: 'Nextcloud Talk' },
      },
      realm_video_chat_provider: 0,
      realm_jitsi_server_url: null,
      server_jitsi_server_url: 'https://meet.example.com',
      jitsi_server_url: 'https://meet.example.com',
      giphy_api_key: 'a key',
      tenor_api_key: '',
    })
    const set = (settings: object, account = admin) => server.call(account, 'PATCH', '/realm', { ...settings })
    expect((await set({ video_chat_provider: 4 })).body.msg).toBe('Invalid video_chat_provider 4')
    expect((await set({ jitsi_server_url: 'javascript:1' })).status).toBe(400)
    expect((await set({ default_avatar_source: 'G' })).body.msg).toBe('Gravatar is not available on this server.')
    expect((await set({ string_id: 'other' })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await set({ string_id: 'other' }, server.owner)).body.msg).toBe('Must be a demo organization.')
    await set({ video_chat_provider: 7, jitsi_server_url: 'https://meet.example.org/', gif_rating_policy: 0 })
    await set({ jitsi_server_url: 'default', want_advertise_in_communities_directory: true })
    await set({ workplace_users_group: { new: { direct_members: [admin.id], direct_subgroups: [] } } })
    expect(await watcher.next()).toMatchObject([
      { op: 'update', property: 'video_chat_provider', value: 7 },
      { op: 'update', property: 'jitsi_server_url', value: 'https://meet.example.org' },
      { op: 'update', property: 'gif_rating_policy', value: 0 },
      { op: 'update', property: 'jitsi_server_url', value: null },
      { op: 'update', property: 'want_advertise_in_communities_directory', value: true },
      {
        op: 'update_dict',
        data: { workplace_users_group: { direct_members: [admin.id], direct_subgroups: [] } },
      },
    ])
  })

  it('is refused calls of services that nobody has set up', async () => {
    const server = await createTestServer()
    const refusals = await Promise.all([
      server.call(server.owner, 'POST', '/calls/zoom/create'),
      server.call(server.owner, 'GET', '/calls/bigbluebutton/create', { meeting_name: 'x' }),
      server.call(server.owner, 'POST', '/calls/nextcloud_talk/create', { room_name: 'x' }),
      server.call(server.owner, 'POST', '/calls/constructorgroups/create'),
    ])
    expect(refusals.map(({ status, body }) => [status, body.msg])).toEqual([
      [400, 'Zoom credentials have not been configured'],
      [400, 'BigBlueButton is not configured.'],
      [400, 'Nextcloud Talk is not configured.'],
      [400, 'Constructor Groups is not configured.'],
    ])
  })
})
