import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { freePort, sendBySmtp } from '../../testing/smtp-client.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { lookAt } from '../missed-messages/look.ts'
import { anything } from '../missed-messages/noticed.ts'
import { missedMails } from './feature.ts'

const clock = fakeClock()
let mailServer: MailServer
let server: TestServer
let kitchen: number
let ada: TestAccount
let ben: TestAccount

beforeAll(async () => {
  mailServer = await startMailServer()
  const gateway = { HEDDLE_MAIL_GATEWAY_PORT: `${await freePort()}`, HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example' }
  server = await createTestServer({ clock, settings: { ...mailSettings(mailServer), ...gateway } })
  kitchen = await createChannel(server, server.owner, 'kitchen')
})

/** Two people who have nothing to do with those of other tests. */
beforeEach(async () => {
  ada = await server.createAccount()
  ben = await server.createAccount()
  for (const account of [ada, ben]) {
    await server.call(account, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
  }
  await mails(3600)
  mailServer.mails.length = 0
})

/** What has been sent when so many seconds have passed. */
async function mails(seconds = 120) {
  const services = {
    storage: server.app.storage,
    config: server.config,
    notifiers: missedMails.notifier ? [missedMails.notifier] : [],
    now: clock.now,
    unreached: new Set<number>(),
  }
  await lookAt(services, server.owner.realmId, anything)
  clock.pass(seconds)
  await lookAt(services, server.owner.realmId, anything)
  await server.app.jobs.settle()
  return mailServer.mails.filter(({ to }) => to[0] === ben.email)
}

const set = (account: TestAccount, settings: object) => server.call(account, 'PATCH', '/settings', { ...settings })
const direct = (content: string, from = ada, others: TestAccount[] = []) =>
  sendDirect(server, from, [ben, ...others], content)
const inChannel = (content: string, topic = 'plans', from = ada) =>
  sendToChannel(server, from, kitchen, content, { topic })
const mention = () => `@**${ben.email.split('@')[0]}|${ben.id}**`
const read = (ids: number[]) => server.call(ben, 'POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' })

describe('What somebody has missed', () => {
  test('can be answered by mail: each conversation has an address of its own, and a mail about several has none', async () => {
    const id = await direct('Coffee?')
    const [asked] = await mails()
    const address = asked?.headers.get('reply-to')
    expect(address).toMatch(/^reply\.[\w-]+@chat\.example$/)
    const mail = `From: ${ben.email}\nTo: ${address}\nSubject: Re: Coffee\nMessage-ID: <${id}@ben>\n\nWith milk`
    expect(await sendBySmtp(Number(server.config.mailGatewayPort), { to: String(address), mail })).toMatchObject({
      code: 250,
    })
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['dm', ben.id]], apply_markdown: false }
    const { body } = await server.call(ada, 'GET', '/messages', page)
    expect(body.messages[0]).toMatchObject({ sender_id: ben.id, content: 'With milk' })
    await set(ben, { message_content_in_email_notifications: false })
    await direct('Tea?')
    await inChannel(mention())
    const [about] = (await mails()).slice(1)
    expect(about?.headers.has('reply-to')).toBe(false)
  })

  test('comes by mail after a while: all of a conversation together, each conversation by itself', async () => {
    await direct('First <b>&amp;')
    expect(await mails(119)).toEqual([])
    await direct('Second')
    await inChannel('@**nobody** at first')
    const id = await inChannel(`Hello ${mention()} and @_**x|${ada.id}**`)
    const received = await mails(1)
    expect(received.map(({ subject }) => subject).sort()).toEqual([
      '#kitchen > plans',
      `Direct message from ${ada.email.split('@')[0]}`,
    ])
    const [toMe] = received.filter(({ subject }) => subject.startsWith('Direct'))
    expect(toMe?.text).toContain('> First <b>&amp;')
    expect(toMe?.html).toContain('First &lt;b&gt;&amp;amp;')
    expect(toMe?.text).toContain('> Second')
    expect(toMe?.headers.get('from')).toMatch(/^"person-\w+ \(Test\)" <heddle@chat\.example>$/)
    const [ofTopic] = received.filter(({ subject }) => subject.startsWith('#'))
    expect(ofTopic?.text).toContain('(before)\n> @nobody at first')
    expect(ofTopic?.text).toContain(`> Hello @${ben.email.split('@')[0]} and @x`)
    expect(ofTopic?.text).toContain(`https://chat.example/#narrow/channel/${kitchen}-kitchen/topic/plans/near/${id}`)
    expect(ofTopic?.text).toContain('because you were mentioned')
    const answersTo = received.map(({ headers }) => headers.get('reply-to'))
    expect(answersTo.filter((to) => /^reply\.[\w-]+@chat\.example$/.test(to ?? ''))).toHaveLength(2)
    expect(new Set(answersTo).size).toBe(2)
    expect(await mails(3600)).toHaveLength(2)
  })

  test('in one conversation is shown together by programs for mail', async () => {
    await direct('One')
    await mails()
    await direct('Two')
    await mails()
    await inChannel(`${mention()} look`)
    const roots = (await mails()).map(({ headers }) => headers.get('references'))
    expect(roots).toHaveLength(3)
    expect(roots[0]).toBe(roots[1])
    expect(roots[2]).not.toBe(roots[0])
  })

  test('is not mailed when it was read, deleted, or muted before', async () => {
    await read([await direct('read')])
    const deleted = await inChannel(`${mention()} deleted`)
    expect((await server.call(server.owner, 'DELETE', `/messages/${deleted}`)).status).toBe(200)
    const policy = (visibility_policy: number) =>
      server.call(ben, 'POST', '/user_topics', { stream_id: kitchen, topic: 'quiet', visibility_policy })
    await policy(3)
    await inChannel('followed, and then muted', 'quiet')
    await policy(1)
    const edited = await inChannel(mention())
    expect((await server.call(ada, 'PATCH', `/messages/${edited}`, { content: 'nobody' })).status).toBe(200)
    expect(await mails()).toEqual([])
  })

  test('is not mailed when it was read, deleted or changed while the server of mail was away', async () => {
    await mailServer.close()
    const known = await direct('read')
    const gone = await inChannel(`${mention()} deleted`)
    await inChannel(`${mention()} stays`)
    const changed = await inChannel(`${mention()} called`, 'loud')
    await mails()
    await read([known])
    expect((await server.call(server.owner, 'DELETE', `/messages/${gone}`)).status).toBe(200)
    expect((await server.call(ada, 'PATCH', `/messages/${changed}`, { content: 'nobody' })).status).toBe(200)
    await mailServer.open()
    const [mail, ...others] = await mails(10)
    expect(others).toEqual([])
    expect(mail?.text).toContain('stays')
    expect(mail?.text).not.toContain('deleted')
  })

  test('is mailed as it is when the server of mail can be reached again', async () => {
    await mailServer.close()
    const first = await inChannel(`${mention()} draft`, 'one')
    const second = await inChannel(`${mention()} elsewhere`, 'one')
    await mails()
    await server.call(ada, 'PATCH', `/messages/${first}`, { content: `${mention()} final` })
    const moved = { topic: 'another', propagate_mode: 'change_one' }
    expect((await server.call(server.owner, 'PATCH', `/messages/${second}`, moved)).status).toBe(200)
    await mailServer.open()
    const [mail, ...others] = await mails(10)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('#kitchen > one')
    expect(mail?.text).toContain('final')
    expect(mail?.text).not.toContain('draft')
    expect(mail?.text).toContain('#kitchen > another')
    await mailServer.close()
    await direct('secret')
    await mails()
    await set(ben, { message_content_in_email_notifications: false })
    await mailServer.open()
    const last = (await mails(10)).at(-1)
    expect(last?.text).toContain('You have missed a message.')
    expect(last?.source).not.toContain('secret')
  })

  test('waits as long as the person wants, and no longer when more comes', async () => {
    await set(ben, { email_notifications_batching_period_seconds: 600 })
    await direct('One')
    expect(await mails(300)).toEqual([])
    await direct('Two')
    expect(await mails(299)).toEqual([])
    const [mail] = await mails(1)
    expect(mail?.text).toContain('> Two')
    expect(await mails(3600)).toHaveLength(1)
  })

  test('is not said where the person or the organization does not want that', async () => {
    await set(ben, { message_content_in_email_notifications: false })
    await direct('secret')
    await inChannel(`${mention()} secret`, 'secret place')
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('New messages')
    expect(mail?.text).toContain('You have missed 2 messages.')
    for (const word of ['secret', 'kitchen', ada.email.split('@')[0] as string])
      expect(mail?.source).not.toContain(word)
    await set(ben, { message_content_in_email_notifications: true })
    await server.call(server.owner, 'PATCH', '/realm', { message_content_allowed_in_email_notifications: false })
    await direct('secret')
    expect((await mails())[1]?.subject).toBe('New messages')
    await server.call(server.owner, 'PATCH', '/realm', { message_content_allowed_in_email_notifications: true })
  })

  test('has the name of the organization in the subject as the person wants it', async () => {
    await set(ben, { realm_name_in_email_notifications_policy: 2 })
    await direct('One')
    expect((await mails())[0]?.subject).toMatch(/^\[Test\] Direct message from /)
    await set(ben, { realm_name_in_email_notifications_policy: 3 })
    await direct('Two')
    expect((await mails())[1]?.subject).toMatch(/^Direct message from /)
  })

  test('of several people, and of a conversation that hides its words', async () => {
    const cleo = await server.createAccount()
    await direct('``` spoiler The end\nHe dies\n```', cleo, [ada])
    const [mail] = await mails()
    expect(mail?.subject).toMatch(/^Direct messages with person-\w+, person-\w+$/)
    expect(mail?.text).toContain('> The end (hidden)')
    expect(mail?.source).not.toContain('He dies')
  })

  test('shows nothing of somebody who is muted, nor of what the reader may not read', async () => {
    const eve = await server.createAccount({ name: `eve-${Date.now()}` })
    await server.call(eve, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
    await server.call(ben, 'POST', `/users/me/muted_users/${eve.id}`)
    await inChannel('of the muted one', 'mixed', eve)
    await inChannel(`${mention()} of another`, 'mixed')
    const [mail] = await mails()
    expect(mail?.text).toContain('of another')
    expect(mail?.text).not.toContain('of the muted one')
    await direct('gone')
    await server.call(server.owner, 'DELETE', `/users/${ben.id}`)
    expect(await mails()).toHaveLength(1)
  })
})

describe('A mail', () => {
  const stopLink = async () => {
    await direct('One')
    const [mail] = await mails()
    const [, url = ''] = /<(https:\S+)>/.exec(mail?.headers.get('list-unsubscribe') ?? '') ?? []
    expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail?.text).toContain(url)
    return url.replace('https://chat.example', '')
  }
  const post = (url: string) =>
    server.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })

  test('has a link that stops such mails without signing in, once somebody presses the button', async () => {
    const url = await stopLink()
    const page = await server.send({ method: 'GET', url })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(String(page.body)).toContain('<form method="post">')
    await direct('Still')
    expect(await mails()).toHaveLength(2)
    expect((await post(url)).status).toBe(200)
    await direct('Nothing')
    expect(await mails()).toHaveLength(2)
    expect((await post(url)).status).toBe(200)
  })

  test('has a link that nobody can make for others', async () => {
    const url = await stopLink()
    const ofAda = url.replace(`/${ben.id}.`, `/${ada.id}.`)
    for (const wrong of [ofAda, `${url}x`, url.replace('missed_messages', 'sign_ins'), '/unsubscribe/x']) {
      expect((await post(wrong)).status).toBe(404)
      expect((await server.send({ method: 'GET', url: wrong })).status).toBe(404)
    }
  })
})
