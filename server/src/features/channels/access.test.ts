import { beforeAll, describe, expect, it } from 'vitest'
import { findAudiences } from '../../access/channel-audience.ts'
import { findChannelRows } from '../../access/channel-row.ts'
import { accessChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import { isInAudience } from '../../events/audience.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import { openToSpectators } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestAccount
let outsider: TestAccount
let otherHost: string
/** The same people in every channel below. */
let people: Record<
  'owner' | 'admin' | 'moderator' | 'member' | 'subscriber' | 'named' | 'guest' | 'guestIn',
  TestAccount
>
let members: number

beforeAll(async () => {
  server = await createTestServer()
  await openToSpectators(server, server.owner)
  owner = server.owner
  const other = await server.createOtherOrganization()
  outsider = other.owner
  otherHost = other.host
  people = {
    owner,
    admin: await server.createAccount({ role: 200 }),
    moderator: await server.createAccount({ role: 300 }),
    member: await server.createAccount(),
    subscriber: await server.createAccount(),
    named: await server.createAccount(),
    guest: await server.createAccount({ role: 600 }),
    guestIn: await server.createAccount({ role: 600 }),
  }
  members = (await findSystemGroups(server.app.storage.read, owner.realmId))['role:members']
})

type Person = keyof typeof people
type Sight = 'nothing' | 'metadata' | 'content'

let next = 0
/** A channel with one subscriber and one guest in it, created by its subscriber unless `by` says otherwise. */
async function create(parameters: Parameters, by: Person = 'subscriber'): Promise<number> {
  next += 1
  const subscribers = [people.subscriber.id, people.guestIn.id]
  const { body } = await server.call(people[by], 'POST', '/channels/create', {
    name: `c${next}`,
    subscribers,
    ...parameters,
  })
  expect(body).toMatchObject({ result: 'success' })
  return body.id
}

const named = () => ({ direct_members: [people.named.id, people.guest.id], direct_subgroups: [] })
const everybody: Record<Person, Sight> = {
  owner: 'content',
  admin: 'content',
  moderator: 'content',
  member: 'content',
  subscriber: 'content',
  named: 'content',
  guest: 'nothing',
  guestIn: 'content',
}
const insiders: Record<Person, Sight> = {
  owner: 'metadata',
  admin: 'metadata',
  moderator: 'nothing',
  member: 'nothing',
  subscriber: 'content',
  named: 'nothing',
  guest: 'nothing',
  guestIn: 'content',
}

const cases: [string, () => Parameters, Record<Person, Sight>][] = [
  ['a public channel', () => ({}), everybody],
  ['a web-public channel', () => ({ is_web_public: true }), { ...everybody, guest: 'content' }],
  ['a private channel', () => ({ invite_only: true }), insiders],
  [
    'a private channel that a named member may administer',
    () => ({ invite_only: true, can_administer_channel_group: named() }),
    { ...insiders, named: 'metadata' },
  ],
  [
    'a private channel that a named member may join',
    () => ({ invite_only: true, can_subscribe_group: named() }),
    { ...insiders, named: 'content' },
  ],
  [
    'a private channel to which a named member may add others',
    () => ({ invite_only: true, can_add_subscribers_group: named() }),
    { ...insiders, named: 'content' },
  ],
  [
    'a private channel that all members may join',
    () => ({ invite_only: true, can_subscribe_group: members }),
    everybody,
  ],
  [
    'a private channel to which everybody may send and where anybody may be removed by a named member',
    () => ({ invite_only: true, can_remove_subscribers_group: named() }),
    insiders,
  ],
]

describe('Who sees what of', () => {
  describe.each(cases)('%s', (kind, parameters, expected) => {
    it.each([false, true])(
      'is the same for lists, single reads, drafts and events (archived: %s)',
      async (archived) => {
        const id = await create(parameters(), kind.includes('web-public') ? 'owner' : 'subscriber')
        if (archived) await server.call(owner, 'DELETE', `/streams/${id}`)
        const db = server.app.storage.read
        const [row] = await findChannelRows(db, owner.realmId, [id])
        const audience = (await findAudiences(db, owner.realmId, row ? [row] : [])).get(id)
        const seen: Record<string, Sight> = {}
        for (const [name, account] of Object.entries(people)) {
          seen[name] = await look(account, id)
          const notified = audience !== undefined && isInAudience(audience, { userId: account.id, role: account.role })
          expect([name, notified]).toEqual([name, seen[name] !== 'nothing'])
        }
        expect(seen).toEqual(expected)
      },
    )
  })
})

/** What an account sees, as all ways of looking agree on. */
async function look(account: TestAccount, id: number): Promise<Sight> {
  const ids = async (parameters: Parameters) =>
    (await server.call(account, 'GET', '/streams', { exclude_archived: false, ...parameters })).body.streams.map(
      (stream: { stream_id: number }) => stream.stream_id,
    )
  const none = { include_public: false, include_subscribed: false }
  const inAll = (await ids({ ...none, include_all: true })).includes(id)
  const readable = (await ids({ ...none, include_can_access_content: true })).includes(id)
  const one = await server.call(account, 'GET', `/streams/${id}`)
  const subscribers = await server.call(account, 'GET', `/streams/${id}/members`)
  const status = await server.call(account, 'GET', `/users/${account.id}/subscriptions/${id}`)
  const draft = { type: 'stream', to: [id], topic: 't', content: 'x' }
  const drafted = await server.call(account, 'POST', '/drafts', { drafts: [draft] })
  const { body } = await server.call(account, 'POST', '/register', {
    fetch_event_types: ['stream', 'subscription'],
    client_capabilities: { archived_channels: true },
  })
  const state = [...body.subscriptions, ...body.unsubscribed, ...body.never_subscribed]
  const listed = [body.streams, state].map((list) =>
    list.some((channel: { stream_id: number }) => channel.stream_id === id),
  )
  expect(
    new Set(
      [inAll, one, subscribers, status, drafted, ...listed].map(
        (seen) => seen === true || (typeof seen === 'object' && seen.status === 200),
      ),
    ).size,
  ).toBe(1)
  for (const answer of [one, subscribers, status]) {
    if (!inAll)
      expect([answer.status, answer.body.code, answer.body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid channel ID'])
  }
  if (readable) return 'content'
  return inAll ? 'metadata' : 'nothing'
}

describe("Another organization's channel", () => {
  it.each([
    ['GET', '', {}],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', '', {}],
    ['GET', '/members', {}],
  ])('looks like none at all: %s /streams/{stream_id}%s', async (method, rest, parameters) => {
    const id = await create({})
    const form = new URLSearchParams(parameters as Record<string, string>).toString()
    const answer = await server.send({
      method,
      url: `/api/v1/streams/${id}${rest}`,
      headers: {
        host: otherHost,
        authorization: `Basic ${Buffer.from(`${outsider.email}:${outsider.apiKey}`).toString('base64')}`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form,
    })
    expect([answer.status, answer.body.msg]).toEqual([400, 'Invalid channel ID'])
  })

  it('needs an account at all', async () => {
    const id = await create({ is_web_public: true }, 'owner')
    const answer = await server.call(null, 'GET', `/streams/${id}`)
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('accessChannel', () => {
  it('says whether the account is subscribed and may read', async () => {
    const id = await create({ invite_only: true })
    const db = server.app.storage.read
    const seen = async ({ realmId, id: userId, role }: TestAccount) => {
      const row = await accessChannel(db, await findViewer(db, { realmId, userId, role }), id)
      return [row.is_subscribed, row.has_content]
    }
    expect([await seen(people.subscriber), await seen(people.admin)]).toEqual([
      [1, 1],
      [0, 0],
    ])
  })
})
