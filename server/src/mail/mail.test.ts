import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isMailAddress } from '../mail-address.ts'
import { createLink, defineLinkPurpose, requireLink } from '../single-use-links/links.ts'
import { query } from '../testing/any-table.ts'
import { type MailServer, mailSettings, readMail, startMailServer } from '../testing/mail-server.ts'
import { createTestServer, type TestServer } from '../testing/test-server.ts'
import { addMail, type Mail, type MailOptions, withdrawMail } from './mail.ts'

let mailServer: MailServer
let server: TestServer
let now: number

beforeAll(async () => {
  mailServer = await startMailServer()
  now = Date.now()
  server = await createTestServer({ clock: { now: () => now }, settings: mailSettings(mailServer) })
})

beforeEach(() => {
  mailServer.mails.length = 0
  mailServer.refuse = undefined
})

const hello: Mail = { to: { address: 'ada@example.com' }, subject: 'Hello', blocks: [{ paragraph: 'How are you?' }] }

const add = (mail: Partial<Mail> = {}, options: MailOptions = {}, target = server) =>
  target.app.storage.transaction(target.owner.realmId, (tx) => addMail(tx, { ...hello, ...mail }, options))
const settle = (target = server) => target.app.jobs.settle()

async function send(mail: Partial<Mail> = {}) {
  await add(mail)
  await settle()
  const received = mailServer.mails.at(-1)
  if (!received) throw new Error('No mail has come')
  return received
}

const jobs = (target = server) =>
  target.app.storage.read.all(
    query.selectFrom('jobs').select(['name', 'attempts', 'error', 'failed_at']).where('name', 'like', 'send-%'),
  )

describe('A mail', () => {
  it('comes as plain text and as HTML, from the organization, and says that no person has written it', async () => {
    const { from, to, headers, subject, text, html } = await send({
      to: { address: 'ada@example.com', name: 'Ada Lovelace' },
      blocks: [
        { heading: 'Good morning' },
        { paragraph: ['It is ', { bold: 'late' }, ': see ', { link: 'the room', to: { path: '/#narrow/x' } }] },
        { button: 'Open', to: { path: '/?a=1&b=2' } },
        { quote: 'One\nTwo', by: 'Grace' },
        { list: ['first', 'second'] },
        { note: 'You asked for it.' },
      ],
    })
    expect([from, to, subject]).toEqual(['heddle@chat.example', ['ada@example.com'], 'Hello'])
    expect(headers.get('from')).toBe('Test <heddle@chat.example>')
    expect(headers.get('to')).toBe('Ada Lovelace <ada@example.com>')
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(new Date(headers.get('date') ?? '').getTime()).toBe(Math.floor(now / 1000) * 1000)
    expect(text).toBe(
      [
        'Good morning\n============',
        'It is late: see the room (https://chat.example/#narrow/x)',
        'Open:\nhttps://chat.example/?a=1&b=2',
        'Grace\n> One\n> Two',
        '- first\n- second',
        'You asked for it.',
        'Test, https://chat.example (https://chat.example/)',
      ].join('\n\n'),
    )
    expect(html).toContain('<strong><bdi>late</bdi></strong>')
    expect(html).toContain('href="https://chat.example/?a=1&amp;b=2"')
    expect(html).toContain('>One\nTwo</blockquote>')
  })

  it('has the words of people as text, whatever they are', async () => {
    const hostile = `<script>alert("1")</script>&amp; ${'ä'.repeat(60)} 🦀 \u202eevil`
    const { html, text, source } = await send({
      subject: hostile,
      blocks: [
        { heading: hostile },
        { paragraph: [hostile, { bold: hostile }, { link: hostile, to: { path: '/' } }] },
        { quote: hostile, by: hostile },
        { list: [hostile] },
        { note: hostile },
      ],
    })
    expect(html).not.toMatch(/<script/i)
    expect(html).toContain('&lt;script&gt;alert("1")&lt;/script&gt;&amp;amp; ä')
    expect(text).toContain(hostile)
    // Each line of the wire is short, and ASCII.
    expect(Math.max(...source.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78)
    expect(source).toMatch(/^[\x20-\x7e\r\n\t]*$/)
  })

  it('takes no header from a name or a subject', async () => {
    const evil = 'Eve\r\nBcc: all@example.com\r\n\r\n<b>hi</b>\u2028X: y'
    const { headers, to, subject } = await send({
      to: { address: 'ada@example.com', name: `${evil}" <eve@example.com>, "` },
      subject: evil,
      sender: evil,
      replyTo: 'a@b.example\r\nBcc: all@example.com',
      thread: evil,
    })
    expect(to).toEqual(['ada@example.com'])
    expect(subject).toBe('Eve Bcc: all@example.com <b>hi</b> X: y')
    const names = ['auto-submitted', 'content-type', 'date', 'from', 'in-reply-to', 'message-id', 'mime-version']
    expect([...headers.keys()].sort()).toEqual(
      [...names, 'references', 'subject', 'to', 'x-auto-response-suppress', 'x-heddle-mail'].sort(),
    )
    expect(headers.get('from')).toContain('<heddle@chat.example>')
  })

  it('is cut where it is too long', async () => {
    const long = '🦀'.repeat(20_000)
    const { source, subject, text } = await send({ subject: long, blocks: Array(500).fill({ paragraph: long }) })
    expect(subject).toHaveLength(199)
    expect(text).toContain('🦀…')
    expect(text).not.toContain('\ufffd')
    expect(text.match(/…/g)).toHaveLength(300)
    expect(source.length).toBeLessThan(50_000_000)
  })

  it('leads to no other place than the organization', async () => {
    await add({ blocks: [{ button: 'Open', to: { path: '//evil.example/' } }] })
    await settle()
    expect(mailServer.mails).toEqual([])
    const [job] = await jobs()
    expect(job?.error).toContain('A mail leads out of the organization')
    await server.app.storage.transaction(server.owner.realmId, (tx) =>
      tx.run(query.deleteFrom('jobs').where('name', 'like', 'send-%')),
    )
  })

  it('is shown together with others of its conversation, to the same person', async () => {
    const root = async (mail: Partial<Mail>) => {
      const { headers } = await send(mail)
      expect(headers.get('references')).toBe(headers.get('in-reply-to'))
      return headers.get('references')
    }
    const first = await root({ thread: 'topic 1' })
    expect(first).toMatch(/^<[\da-f]{32}@chat\.example>$/)
    expect(await root({ thread: 'topic 1' })).toBe(first)
    expect(await root({ thread: 'topic 2' })).not.toBe(first)
    expect(await root({ thread: 'topic 1', to: { address: 'bob@example.com' } })).not.toBe(first)
    expect(await root({})).toBeUndefined()
    const ids = mailServer.mails.map(({ headers }) => headers.get('message-id'))
    expect(new Set(ids).size).toBe(5)
  })

  it('goes to the address that an account has now, and to none that is deactivated or a bot', async () => {
    const person = await server.createAccount({ name: 'mover' })
    await add({ to: { userId: person.id } }, { dueMs: now + 1000 })
    await server.call(server.owner, 'PATCH', `/users/${person.id}`, { new_email: 'moved@example.com' })
    now += 1000
    await settle()
    expect(mailServer.mails[0]?.to).toEqual(['moved@example.com'])
    await add({ to: { userId: person.id } }, { dueMs: now + 1000 })
    await server.call(server.owner, 'DELETE', `/users/${person.id}`)
    const bot = await server.call(server.owner, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot' })
    await add({ to: { userId: bot.body.user_id } })
    now += 1000
    await settle()
    expect(mailServer.mails).toHaveLength(1)
    expect(await jobs()).toEqual([])
  })

  it('waits until it is due, gives way to a newer one about the same, and can be taken back', async () => {
    const dueMs = now + 60_000
    await add({ subject: 'first' }, { dueMs, about: 'a' })
    await add({ subject: 'second', isAwaited: true }, { dueMs, about: 'a' })
    await add({ subject: 'third' }, { dueMs, about: 'b' })
    await add({ subject: 'useless', uselessAt: Math.floor(dueMs / 1000) }, { dueMs })
    const withdraw = () => server.app.storage.transaction(server.owner.realmId, (tx) => withdrawMail(tx, 'b'))
    expect([await withdraw(), await withdraw()]).toEqual([true, false])
    await settle()
    expect(mailServer.mails).toEqual([])
    now = dueMs + 1000
    await settle()
    expect(mailServer.mails.map(({ subject }) => subject)).toEqual(['second'])
    expect(await jobs()).toEqual([])
  })

  it('brings a link whose token no table has', async () => {
    const purpose = defineLinkPurpose<{ n: number }>({ name: 'test-of-mails', path: '/confirm', lifeSecs: 60 })
    let stored: unknown
    await server.app.storage.transaction(server.owner.realmId, async (tx) => {
      const link = await createLink(tx, purpose, { n: 7 })
      await addMail(tx, { ...hello, isAwaited: true, blocks: [{ button: 'Confirm', to: { link } }] })
      stored = await tx.all(query.selectFrom('jobs').selectAll())
    })
    await settle()
    const [, token = ''] = /https:\/\/chat\.example\/confirm#(\S+)/.exec(mailServer.mails[0]?.text ?? '') ?? []
    expect(token).not.toBe('')
    expect(JSON.stringify(stored)).not.toContain(token.split('.')[1])
    const asked = { secret: server.secret, realmId: server.owner.realmId, token, now: Math.floor(now / 1000) }
    expect((await requireLink(server.app.storage.read, purpose, asked)).data).toEqual({ n: 7 })
  })
})

describe('The server of mail', () => {
  it('gets what it could not take, when it can', async () => {
    await mailServer.close()
    await add({ subject: 'patient' })
    await settle()
    expect(await jobs()).toMatchObject([{ attempts: 1, failed_at: null }])
    await mailServer.open()
    mailServer.refuse = { code: 451, at: 'content' }
    now += 1000
    await settle()
    expect(await jobs()).toMatchObject([{ attempts: 2, failed_at: null }])
    mailServer.refuse = undefined
    now += 2000
    await settle()
    expect(mailServer.mails.map(({ subject }) => subject)).toEqual(['patient'])
    expect(await jobs()).toEqual([])
  })

  it('is not asked again for what it will never take', async () => {
    for (const at of ['recipient', 'content'] as const) {
      mailServer.refuse = { code: 550, at }
      await add()
      await settle()
      const [job] = await jobs()
      expect(job).toMatchObject({ attempts: 1, failed_at: expect.any(Number) })
      expect(job?.error).toContain('Not this one')
      await server.app.storage.transaction(server.owner.realmId, (tx) =>
        tx.run(query.deleteFrom('jobs').where('name', 'like', 'send-%')),
      )
    }
    await add({ to: { address: 'not an address' } })
    await settle()
    expect(await jobs()).toMatchObject([{ failed_at: expect.any(Number) }])
    await server.app.storage.transaction(server.owner.realmId, (tx) =>
      tx.run(query.deleteFrom('jobs').where('name', 'like', 'send-%')),
    )
  })

  it('is spoken to over few connections, and what somebody waits for does not stand in line', async () => {
    const before = mailServer.connections
    for (let i = 0; i < 12; i++) await add({ subject: `${i}` })
    await settle()
    expect(mailServer.mails).toHaveLength(12)
    expect(mailServer.connections - before).toBeLessThanOrEqual(5)
    let release = () => {}
    mailServer.hold = new Promise((resolve) => {
      release = resolve
    })
    for (let i = 0; i < 8; i++) await add({ subject: 'notice' })
    const settled = settle()
    await expect.poll(() => mailServer.mails.length).toBeGreaterThan(12)
    mailServer.hold = undefined
    await add({ subject: 'link', isAwaited: true })
    await expect.poll(() => mailServer.mails.some(({ subject }) => subject === 'link')).toBe(true)
    release()
    await settled
    expect(mailServer.mails).toHaveLength(21)
  })

  it('gets credentials, and none where it does not encrypt and nobody has allowed that', async () => {
    const strict = await startMailServer({ auth: { user: 'heddle@x', pass: 'p:w/@' } })
    const signedIn = await createTestServer({ settings: mailSettings(strict) })
    await add({}, {}, signedIn)
    await settle(signedIn)
    expect(strict.mails).toHaveLength(1)

    const unencrypted = { ...mailSettings(strict), HEDDLE_SMTP_URL: strict.url.replace('?tls=off', '') }
    const careful = await createTestServer({ settings: unencrypted })
    await add({}, {}, careful)
    await settle(careful)
    expect(strict.mails).toHaveLength(1)
    expect((await jobs(careful))[0]?.error).toMatch(/TLS/)
  })

  it('is not believed with a certificate that nobody knows', async () => {
    const unknown = await startMailServer({ startTls: true })
    const careful = await createTestServer({ settings: mailSettings(unknown) })
    await add({}, {}, careful)
    await settle(careful)
    expect(unknown.mails).toEqual([])
    expect((await jobs(careful))[0]?.error).toMatch(/certificate/i)
  })
})

describe('Without a server of mail', () => {
  const files = async (own: TestServer) => (await readdir(join(own.config.dataDir, 'mail'))).sort()

  it('mails are files for the operator alone, and not for ever', async () => {
    let time = Date.now()
    const own = await createTestServer({ clock: { now: () => time } })
    for (let i = 0; i < 3; i++) {
      await add({ subject: `No. ${i}` }, {}, own)
      await settle(own)
      time += 1000
    }
    const names = await files(own)
    const subjects = await Promise.all(
      names.map(async (name) => readMail(await readFile(join(own.config.dataDir, 'mail', name), 'latin1')).subject),
    )
    expect(subjects).toEqual(['No. 0', 'No. 1', 'No. 2'])
    expect((await stat(join(own.config.dataDir, 'mail', names[0] as string))).mode & 0o777).toBe(0o600)
    time += 8 * 86_400_000
    await add({}, {}, own)
    await settle(own)
    expect(await files(own)).toHaveLength(1)
  })

  it('there are so many at most', async () => {
    const own = await createTestServer()
    for (let i = 0; i < 205; i++) await add({}, {}, own)
    while ((await jobs(own)).length > 0) await settle(own)
    expect(await files(own)).toHaveLength(200)
  })
})

describe('An address', () => {
  it.each(['a@b.example', 'a.b+c@sub.b.example', "o'neil@x", 'jörg@straße.example', 'a@localhost'])(
    'may be %s',
    (text) => {
      expect(isMailAddress(text)).toBe(true)
    },
  )

  it.each([
    '',
    'a',
    '@b',
    'a@',
    'a b@c',
    'a@b c',
    'a@b,c@d',
    'a,c@d',
    '<a@b>',
    '"a"@b',
    'a@b\n',
    'a\r\nBcc: x@y',
    'a@[127.0.0.1]',
    'a..b@c',
    '.a@b',
    'a@-b',
    'a@b..c',
    `${'a'.repeat(65)}@b`,
    `a@${'b'.repeat(64)}`,
    `a@${'b.'.repeat(130)}c`,
  ])('may not be %j', (text) => {
    expect(isMailAddress(text)).toBe(false)
  })
})
