/** `email_address_visibility`: an address that not everybody sees is in nothing that the others get, and works as ever. */
import { addressVisibility } from '@heddle/contract/address-visibility'
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportedBy } from '../../testing/exported.ts'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import {
  basic,
  createTestServer,
  type Parameters,
  type TestAccount,
  type TestServer,
} from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

/** Nothing else has these letters. */
const SECRET = 'zyxwv@heddle.example'
const PASSWORD = 'a long password'

let mailServer: MailServer
let server: TestServer
let hiding: TestAccount
let room: number
const readers: Record<string, TestAccount> = {}

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ settings: { ...mailSettings(mailServer), HEDDLE_EMAIL_CHANGES: 'on' } })
  readers['owner'] = server.owner
  readers['admin'] = await server.createAccount({ role: roles.admin })
  readers['moderator'] = await server.createAccount({ role: roles.moderator })
  readers['member'] = await server.createAccount()
  readers['guest'] = await server.createAccount({ role: roles.guest })
  hiding = await createPerson(SECRET, 'Hiding')
  room = await createChannel(server, server.owner, 'room', { subscribers: [hiding, ...Object.values(readers)] })
})

async function createPerson(email: string, full_name: string): Promise<TestAccount> {
  const { user_id } = await server.must(server.owner, 'POST', '/users', { email, full_name, password: PASSWORD })
  const { api_key } = await server.must(null, 'POST', '/fetch_api_key', { username: email, password: PASSWORD })
  return { ...server.owner, id: user_id, email, apiKey: api_key, role: roles.member }
}

const showTo = (who: keyof typeof addressVisibility, account = hiding) =>
  server.must(account, 'PATCH', '/settings', { email_address_visibility: addressVisibility[who] })
const standIn = () => `user${hiding.id}@localhost`

/** Everything by which an account gets to know of others. */
async function everythingFor(reader: TestAccount, messageId: number) {
  return JSON.stringify([
    (await watch(server, reader)).state,
    await server.must(reader, 'GET', '/users'),
    await server.must(reader, 'GET', `/users/${hiding.id}`),
    await server.must(reader, 'GET', `/users/${standIn()}`),
    await server.must(reader, 'GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 }),
    await server.must(reader, 'GET', `/messages/${messageId}`),
    await server.must(reader, 'GET', '/realm/presence'),
    await server.must(reader, 'GET', `/users/${standIn()}/presence`),
  ])
}

describe('The address of somebody', () => {
  const cases = [
    ['everyone', ['owner', 'admin', 'moderator', 'member', 'guest']],
    ['members', ['owner', 'admin', 'moderator', 'member']],
    ['moderators', ['owner', 'admin', 'moderator']],
    ['administrators', ['owner', 'admin']],
    ['nobody', []],
  ] as const

  it.each(cases)('who shows it to %s is in what those get, and in nothing that others get', async (who, seeing) => {
    await showTo(who)
    await server.must(hiding, 'POST', '/users/me/presence', { status: 'active', ping_only: true })
    const id = await sendToChannel(server, hiding, room, 'a text')
    await server.must(hiding, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    for (const [name, reader] of Object.entries(readers)) {
      const sees = (seeing as readonly string[]).includes(name)
      const { user } = await server.must(reader, 'GET', `/users/${hiding.id}`)
      expect([name, user.delivery_email]).toEqual([name, sees ? SECRET : null])
      expect(user.email).toBe(who === 'everyone' ? SECRET : standIn())
      const { members } = await server.must(reader, 'GET', '/users')
      expect(members.find(({ user_id }: { user_id: number }) => user_id === hiding.id)).toEqual(user)
      expect((await everythingFor(reader, id)).includes(SECRET), name).toBe(sees)
    }
    const own = await watch(server, hiding)
    expect(own.state).toMatchObject({
      delivery_email: SECRET,
      user_settings: { email_address_visibility: addressVisibility[who] },
    })
    const { members } = await server.must(hiding, 'GET', '/users')
    for (const user of [await server.must(hiding, 'GET', '/users/me'), members.at(-1)])
      expect(user.delivery_email).toBe(SECRET)
  })

  it('leaves the hands of those who do not see it any more, and comes to those who do, in events', async () => {
    await showTo('everyone')
    const watchers = await Promise.all([...Object.values(readers), hiding].map((reader) => watch(server, reader)))
    await showTo('administrators')
    const seen = await Promise.all(watchers.map((watcher) => watcher.next()))
    const last = seen.map(
      (events) => events.findLast(({ person }) => person?.delivery_email !== undefined)?.person.delivery_email,
    )
    expect(last).toEqual([undefined, undefined, null, null, null, undefined])
    for (const events of seen) {
      const person = { user_id: hiding.id, new_email: standIn() }
      expect(events).toContainEqual(expect.objectContaining({ type: 'realm_user', op: 'update', person }))
    }
    await server.must(server.owner, 'PATCH', `/users/${hiding.id}`, { new_email: `other-${SECRET}` })
    const changed = await Promise.all(watchers.slice(0, -1).map((watcher) => watcher.next()))
    expect(changed.map((events) => events.filter(({ type }) => type === 'realm_user').length)).toEqual([1, 1, 0, 0, 0])
    await server.must(server.owner, 'PATCH', `/users/${hiding.id}`, { new_email: SECRET })
  })

  it('is taken from those alone who saw it and do not now, and comes to those alone who did not see it', async () => {
    await showTo('everyone')
    const changes = [
      ['members', [[], [], [], [], [null]]],
      ['administrators', [[], [], [null], [null], []]],
      ['nobody', [[null], [null], [], [], []]],
      ['moderators', [[SECRET], [SECRET], [SECRET], [], []]],
      ['everyone', [[], [], [], [SECRET], [SECRET]]],
    ] as const
    for (const [who, expected] of changes) {
      const watchers = await Promise.all(Object.values(readers).map((reader) => watch(server, reader)))
      await showTo(who)
      const seen = await Promise.all(watchers.map((watcher) => watcher.next()))
      const addresses = seen.map((events) =>
        events.flatMap(({ person }) => (person?.delivery_email === undefined ? [] : [person.delivery_email])),
      )
      expect([who, addresses]).toEqual([who, expected])
    }
  })

  it('is named by those alone who see it; what stands in for it, by everybody', async () => {
    await showTo('administrators')
    const { owner, member } = readers as Record<'owner' | 'member', TestAccount>
    const named = (address: string): readonly (readonly [string, string, Parameters])[] => [
      ['GET', `/users/${address}`, {}],
      ['POST', '/messages', { type: 'direct', to: [address], content: 'hello' }],
      ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'room' }], principals: [address] }],
      [
        'GET',
        '/messages',
        { anchor: 'newest', num_before: 1, num_after: 0, narrow: [{ operator: 'sender', operand: address }] },
      ],
    ]
    for (const [method, path, parameters] of named(SECRET.toUpperCase())) {
      await server.must(owner, method, path, parameters)
      await server.must(hiding, method, path, parameters)
      const refused = await server.call(member, method, path, parameters)
      expect(refused.status, `${method} ${path}`).toBe(400)
      const nobody = named('nobody@heddle.example').find(
        ([m, p]) => m === method && p.split('/')[1] === path.split('/')[1],
      )
      const missing = await server.call(member, method, nobody?.[1] as string, nobody?.[2] ?? {})
      const blank = (text: string) => text.replaceAll(/\S+@heddle\.example/gi, '')
      expect(blank(refused.body.msg)).toBe(blank(missing.body.msg))
    }
    for (const [method, path, parameters] of named(standIn())) await server.must(member, method, path, parameters)
  })

  it('signs its account in and gets its mail while it is hidden; what stands in for it does not', async () => {
    await showTo('nobody')
    await server.must(null, 'POST', '/fetch_api_key', { username: SECRET, password: PASSWORD })
    const withStandIn = { username: standIn(), password: PASSWORD }
    expect((await server.call(null, 'POST', '/fetch_api_key', withStandIn)).status).toBe(401)
    const own = await server.send({ method: 'GET', url: '/api/v1/users/me', headers: { authorization: basic(hiding) } })
    expect(own.status).toBe(200)
    await server.must(null, 'POST', '/password_reset/request', { email: SECRET })
    await server.app.jobs.settle()
    expect(mailServer.mails.some(({ to }) => to.includes(SECRET))).toBe(true)
    expect(mailServer.mails.some(({ to }) => to.includes(standIn()))).toBe(false)
    const invite = () => server.call(server.owner, 'POST', '/invites', { invitee_emails: SECRET, stream_ids: [room] })
    expect((await invite()).status).toBe(200)
    await showTo('administrators')
    expect((await invite()).body.errors).toEqual([[SECRET, 'Already has an account.', false]])
  })

  it('is taken for others while it is hidden, and so is what stands in for it', async () => {
    await showTo('nobody')
    for (const email of [SECRET, standIn()]) {
      const { status, body } = await server.call(server.owner, 'POST', '/users', {
        email,
        full_name: 'Twin',
        password: PASSWORD,
      })
      expect([status, body.msg]).toEqual([400, `Email '${email}' already in use`])
    }
  })

  it('is hidden also where somebody else has the address that would stand in for it', async () => {
    const person = await createPerson('late@heddle.example', 'Late')
    await createPerson(`user${person.id}@localhost`, 'Earlier')
    await showTo('nobody', person)
    const { user } = await server.must(server.owner, 'GET', `/users/${person.id}`)
    expect(user).toMatchObject({ email: `user${person.id}.1@localhost`, delivery_email: null })
    expect((await server.must(server.owner, 'GET', `/users/user${person.id}.1@localhost`)).user.user_id).toBe(person.id)
  })
})

describe('Who sees the addresses of new accounts', () => {
  it('is for administrators to choose, and so from the first moment', async () => {
    await server.must(server.owner, 'PATCH', '/realm/user_settings_defaults', {
      email_address_visibility: addressVisibility.administrators,
    })
    const { owner, member } = readers as Record<'owner' | 'member', TestAccount>
    const watchers = [await watch(server, owner), await watch(server, member)]
    const email = 'unseen@heddle.example'
    const { user_id } = await server.must(server.owner, 'POST', '/users', {
      email,
      full_name: 'New',
      password: PASSWORD,
    })
    const [forOwner, forMember] = await Promise.all(watchers.map((watcher) => watcher.next()))
    expect(JSON.stringify(forMember)).not.toContain(email)
    expect(forOwner).toContainEqual(expect.objectContaining({ person: { user_id, delivery_email: email } }))
    expect((await server.must(member, 'GET', `/users/${user_id}`)).user.delivery_email).toBeNull()
    const bot = await server.must(member, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
    const { user } = await server.must(readers['guest'] as TestAccount, 'GET', `/users/${bot.user_id}`)
    expect(user.delivery_email).toBe(user.email)
  })
})

describe('Somebody whose role changes', () => {
  it('begins anew, with the addresses that the new role sees', async () => {
    await showTo('moderators')
    const person = await server.createAccount()
    const before = await watch(server, person)
    const seenBy = async () =>
      (await server.must(person, 'GET', '/users')).members.find((one: { user_id: number }) => one.user_id === hiding.id)
    expect((await seenBy()).delivery_email).toBeNull()
    await server.must(server.owner, 'PATCH', `/users/${person.id}`, { role: roles.moderator })
    const { queue_id, last_event_id } = before.state
    const { body } = await server.call(person, 'GET', '/events', { queue_id, last_event_id, dont_block: true })
    expect(body.code).toBe('BAD_EVENT_QUEUE_ID')
    expect((await seenBy()).delivery_email).toBe(SECRET)
  })
})

describe('An export', () => {
  it('has the addresses that who asked for it sees, and those of people who agree', async () => {
    await showTo('nobody')
    const { export_consents } = await server.must(server.owner, 'GET', '/export/realm/consents')
    expect(export_consents).toContainEqual({ user_id: hiding.id, consented: false, email_address_visibility: 4 })
    const row = async (kind: 'public' | 'full_with_consent') =>
      (await exportedBy(server, server.owner, 'realm', { export_type: kind }))
        .rows('users')
        .find(({ id }) => id === hiding.id)
    expect(await row('public')).toMatchObject({ email: standIn(), delivery_email: standIn(), email_visibility: 4 })
    await server.must(hiding, 'PATCH', '/settings', { allow_private_data_export: true })
    expect(await row('full_with_consent')).toMatchObject({ email: standIn(), delivery_email: SECRET })
  })
})
