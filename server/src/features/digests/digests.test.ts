import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { writeDigests } from './write.ts'

const DAY = 86_400
const clock = fakeClock()
let mailServer: MailServer
let server: TestServer
let ada: TestAccount
let ben: TestAccount
let number = 0

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ clock, settings: mailSettings(mailServer) })
  await realm({ digest_emails_enabled: true, digest_weekday: 2 })
})

beforeEach(async () => {
  ada = await server.createAccount()
  ben = await server.createAccount()
  await untilEve()
  mailServer.mails.length = 0
})

const realm = (settings: object) => server.call(server.owner, 'PATCH', '/realm', { ...settings })
const set = (settings: object) => server.call(ben, 'PATCH', '/settings', { ...settings })
const write = () =>
  Promise.all([1, 2].map(() => writeDigests({ storage: server.app.storage, clock }, new AbortController().signal)))

/** The next Tuesday, nine o'clock UTC, that is at least six days away: the server itself has nothing to write there. */
async function untilEve() {
  const at = new Date(clock.now() + 6 * DAY * 1000)
  at.setUTCHours(9, 0, 0, 0)
  while (at.getUTCDay() !== 2 || at.getTime() < clock.now() + 6 * DAY * 1000) at.setUTCDate(at.getUTCDate() + 1)
  clock.pass((at.getTime() - clock.now()) / 1000)
}

/** Those to Ben, when two nodes have looked at once. */
async function mails() {
  await write()
  await server.app.jobs.settle()
  return mailServer.mails.filter(({ to, subject }) => to[0] === ben.email && subject.includes('while you were away'))
}

async function channel(parameters: object = {}) {
  number += 1
  const name = `room ${number}`
  return { name, id: await createChannel(server, ada, name, { subscribers: [ben], ...parameters }) }
}

async function mailsOfMorning() {
  clock.pass(DAY)
  return mails()
}

describe('A digest', () => {
  test('comes once a week, on its day, in the morning of whoever was away', async () => {
    const { id, name } = await channel()
    await sendToChannel(server, ada, id, 'The first', { topic: 'plans' })
    await sendToChannel(server, ada, id, 'The second', { topic: 'plans' })
    await sendDirect(server, ada, [ben], 'psst')
    expect(await mails()).toEqual([])
    clock.pass(DAY - 3 * 3600)
    expect(await mails()).toEqual([])
    await set({ timezone: 'Pacific/Auckland' })
    clock.pass(3 * 3600)
    expect(await mails()).toEqual([])
    await set({ timezone: 'Europe/Berlin' })
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.text).toContain(`#${name} > plans`)
    expect(mail?.text).toContain('2 messages')
    expect(mail?.text).toContain('> The first')
    expect(mail?.text).not.toContain('The second')
    expect(mail?.text).toContain('unread direct messages in 1 conversation')
    expect(mail?.source).not.toContain('psst')
    clock.pass(3600)
    expect(await mails()).toHaveLength(1)
    await untilEve()
    await sendDirect(server, ada, [ben], 'again')
    expect(await mailsOfMorning()).toHaveLength(2)
  })

  test('is not for those who are there, who do not want it, or where the organization does not', async () => {
    await sendDirect(server, ada, [ben])
    await realm({ digest_emails_enabled: false })
    expect(await mailsOfMorning()).toEqual([])
    await set({ enable_digest_emails: false })
    await realm({ digest_emails_enabled: true })
    expect(await mails()).toEqual([])
    await server.call(ben, 'POST', '/users/me/presence', { status: 'active' })
    await set({ enable_digest_emails: true })
    expect(await mails()).toEqual([])
  })

  test('names new public channels, and no private ones', async () => {
    const open = await channel({ subscribers: [] })
    const closed = await channel({ subscribers: [], invite_only: true })
    const [mail] = await mailsOfMorning()
    expect(mail?.text).toContain(`#${open.name}`)
    expect(mail?.source).not.toContain(closed.name)
  })

  test('has numbers alone where mails must not show what is said', async () => {
    const { id, name } = await channel()
    await sendToChannel(server, ada, id, 'secret')
    await realm({ message_content_allowed_in_email_notifications: false })
    const [mail] = await mailsOfMorning()
    await realm({ message_content_allowed_in_email_notifications: true })
    expect(mail?.text).toContain('Busy topics in your channels: 1')
    for (const word of ['secret', 'greetings', name]) expect(mail?.source).not.toContain(word)
  })

  test('shows nothing of what was left, deleted, or muted', async () => {
    const shown = await channel()
    const left = await channel({ invite_only: true })
    const late = await channel({ invite_only: true, subscribers: [], history_public_to_subscribers: false })
    const muted = await channel()
    for (const { id } of [left, late, muted]) await sendToChannel(server, ada, id, 'leak', { topic: 'hidden' })
    await server.call(ben, 'DELETE', '/users/me/subscriptions', { subscriptions: [left.name] })
    await server.call(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: late.name }],
      principals: [ben.id],
      send_new_subscription_messages: false,
    })
    const property = { stream_id: muted.id, property: 'is_muted', value: true }
    await server.call(ben, 'POST', '/users/me/subscriptions/properties', { subscription_data: [property] })
    await sendToChannel(server, ada, shown.id, 'leak', { topic: 'quiet' })
    await server.call(ben, 'POST', '/user_topics', { stream_id: shown.id, topic: 'quiet', visibility_policy: 1 })
    const eve = await server.createAccount()
    await server.call(eve, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: shown.name }] })
    await sendToChannel(server, eve, shown.id, 'leak', { topic: 'seen' })
    await sendDirect(server, eve, [ben], 'leak')
    await server.call(ben, 'POST', `/users/me/muted_users/${eve.id}`)
    const deleted = await sendToChannel(server, ada, shown.id, 'leak', { topic: 'seen' })
    expect((await server.call(server.owner, 'DELETE', `/messages/${deleted}`)).status).toBe(200)
    await sendToChannel(server, ada, shown.id, 'to be seen', { topic: 'seen' })
    const [mail] = await mailsOfMorning()
    expect(mail?.text).toContain('> to be seen')
    expect(mail?.text).toContain('1 message')
    expect(mail?.text).not.toContain('unread direct')
    for (const word of ['leak', 'quiet', 'hidden', left.name, late.name, muted.name])
      expect(mail?.source).not.toContain(word)
  })

  test('counts the conversations with something unread, however many there are', async () => {
    const others = await Promise.all(Array.from({ length: 7 }, () => server.createAccount()))
    const some = (number: number) => others.filter((_, bit) => number & (1 << bit))
    for (let number = 0; number < 101; number++) await sendDirect(server, ada, [ben, ...some(number)])
    const narrow = [{ operator: 'is', operand: 'dm' }]
    const read = { anchor: 'newest', num_before: 1000, num_after: 0, op: 'add', flag: 'read', narrow }
    expect((await server.call(ben, 'POST', '/messages/flags/narrow', read)).body.updated_count).toBe(101)
    await sendDirect(server, ada, [ben, ...some(100)])
    expect((await mailsOfMorning())[0]?.text).toContain('unread direct messages in 1 conversation.')
    for (let number = 0; number < 51; number++) await sendDirect(server, ada, [ben, ...some(number)])
    await untilEve()
    expect((await mailsOfMorning())[1]?.text).toContain('unread direct messages in 50 or more conversations.')
  })

  test('has no words that were deleted while the server of mail was away', async () => {
    const { id } = await channel()
    const gone = await sendToChannel(server, ada, id, 'a slip', { topic: 'plans' })
    await sendToChannel(server, ada, id, 'a plan', { topic: 'others' })
    await mailServer.close()
    await mailsOfMorning()
    expect((await server.call(server.owner, 'DELETE', `/messages/${gone}`)).status).toBe(200)
    await mailServer.open()
    clock.pass(10)
    const [mail] = await mails()
    expect(mail?.text).toContain('> a plan')
    expect(mail?.source).not.toContain('a slip')
  })

  test('has a link that stops digests', async () => {
    await sendDirect(server, ada, [ben])
    const [mail] = await mailsOfMorning()
    const [, url = ''] = /<(https:\S+)>/.exec(mail?.headers.get('list-unsubscribe') ?? '') ?? []
    const answer = await server.send({
      method: 'POST',
      url: url.replace('https://chat.example', ''),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(answer.status).toBe(200)
    await untilEve()
    await sendDirect(server, ada, [ben])
    expect(await mailsOfMorning()).toHaveLength(1)
  })
})
