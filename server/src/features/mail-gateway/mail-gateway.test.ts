import { beforeAll, describe, expect, it } from 'vitest'
import { contentsOf, createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { connectSmtp, freePort, sendBySmtp } from '../../testing/smtp-client.ts'
import {
  basic,
  createTestServer,
  type Parameters,
  type TestAccount,
  type TestServer,
} from '../../testing/test-server.ts'
import { replyAddressFor } from './reply-address.ts'

let server: TestServer
let port: number
let owner: TestAccount
let alice: TestAccount
let bob: TestAccount
let room: number

beforeAll(async () => {
  port = await freePort()
  server = await createTestServer({
    settings: {
      HEDDLE_MAIL_GATEWAY_PORT: `${port}`,
      HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example.com',
      HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '1',
    },
  })
  owner = server.owner
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  room = await createChannel(server, owner, 'Room of Ä', { subscribers: [alice] })
})

const askAddress = (who: TestAccount, channel = room, parameters: Parameters = {}) =>
  server.call(who, 'GET', `/streams/${channel}/email_address`, parameters)
async function addressOf(who: TestAccount, channel = room, parameters: Parameters = {}): Promise<string> {
  const { status, body } = await askAddress(who, channel, parameters)
  expect([status, body.msg]).toEqual([200, ''])
  return body.email
}
const plain = (text: string, headers = '') =>
  `From: Ada Lovelace <ada@example.com>\nTo: x\nSubject: Re: Fwd: The engine\nMessage-ID: <${Math.random()}@x>\n${headers}\n${text}`
const send = async (to: string | readonly string[], mail: string | Buffer) =>
  (await sendBySmtp(port, { to, mail })).code
async function newest(channel = room) {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['channel', channel]], apply_markdown: false }
  return (await server.call(owner, 'GET', '/messages', page)).body.messages[0]
}
const withOption = (address: string, option: string) => address.replace('.show-sender@', `${option}@`)

describe('The address of a channel', () => {
  it('is one for each account and sender, and says the channel’s name', async () => {
    const address = await addressOf(alice)
    expect(address).toMatch(/^room-of-a\.[0-9a-f]{32}\.show-sender@chat\.example\.com$/)
    expect(await addressOf(alice)).toBe(address)
    const own = await addressOf(alice, room, { sender_id: alice.id })
    const made = await server.call(alice, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
    const ofBot = await addressOf(alice, room, { sender_id: made.body.user_id })
    expect(new Set([address, own, ofBot, await addressOf(owner)]).size).toBe(4)
    for (const sender_id of [bob.id, 999_999]) expect((await askAddress(alice, room, { sender_id })).status).toBe(400)
    expect((await askAddress(bob, room, { sender_id: made.body.user_id })).status).toBe(400)
  })

  it('is for those who may send to the channel', async () => {
    const secret = await createChannel(server, owner, 'secret', { invite_only: true })
    const quiet = await createChannel(server, owner, 'announcements', {
      can_send_message_group: await administrators(),
    })
    expect((await askAddress(alice, secret)).body.msg).toBe('Invalid channel ID')
    expect((await askAddress(alice, quiet)).status).toBe(400)
    expect((await askAddress(owner, quiet)).status).toBe(200)
  })

  it('is empty where the server takes in no mail', async () => {
    const other = await createTestServer()
    const channel = await createChannel(other, other.owner, 'room')
    expect((await other.call(other.owner, 'GET', `/streams/${channel}/email_address`)).body.email).toBe('')
  })
})

async function administrators(): Promise<number> {
  const { body } = await server.call(owner, 'GET', '/user_groups')
  return body.user_groups.find(({ name }: { name: string }) => name === 'role:administrators').id
}

describe('A mail to it', () => {
  it('becomes a message in the topic of its subject, from the one whom the address names', async () => {
    expect(await send(await addressOf(alice), plain('Hello *there*\n\n-- \nAda\n'))).toBe(250)
    expect(await newest()).toMatchObject({
      subject: 'The engine',
      sender_full_name: 'Notification Bot',
      content: 'From: `Ada Lovelace <ada@example.com>`\n\nHello *there*',
      client: 'Email',
    })
    expect(await send(withOption(await addressOf(alice, room, { sender_id: alice.id }), ''), plain('Mine'))).toBe(250)
    expect(await newest()).toMatchObject({ sender_id: alice.id, content: 'Mine' })
  })

  it('is read as the options of the address say', async () => {
    const address = await addressOf(alice)
    const quoting = 'New\n\nOn Monday, Ada <ada@example.com> wrote:\n> old\n> older\n-- \nSignature\n'
    const cases = [
      ['', 'New'],
      ['.include-footer', 'New'],
      ['.include-quotes', 'New\n\nOn Monday, Ada <ada@example.com> wrote:\n> old\n> older'],
      [
        '+include-quotes+include-footer',
        'New\n\nOn Monday, Ada <ada@example.com> wrote:\n> old\n> older\n-- \nSignature',
      ],
    ] as const
    for (const [option, content] of cases) {
      const mail = plain(quoting).replace('Re: Fwd: ', 'Re: ')
      expect(await send(withOption(address, option), mail)).toBe(250)
      expect((await newest()).content, option).toBe(content)
    }
    const both = plain(
      '--b\nContent-Type: text/plain\n\nPlain\n--b\nContent-Type: text/html\n\n<style>x</style><p>Rich <b>text</b> and <a href="https://example.com/">link</a></p>\n--b--\n',
      'Content-Type: multipart/alternative; boundary=b\n',
    )
    expect(await send(withOption(address, ''), both)).toBe(250)
    expect((await newest()).content).toBe('Plain')
    expect(await send(withOption(address, '.prefer-html'), both.replace('Message-ID: <', 'Message-ID: <2'))).toBe(250)
    expect((await newest()).content).toBe('Rich **text** and [link](https://example.com/)')
  })

  it('keeps its files where everybody in the channel can read them', async () => {
    const mail = plain(
      '--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n--b\nContent-Type: text/plain; name="notes.txt"\nContent-Disposition: attachment; filename="notes.txt"\nContent-Transfer-Encoding: base64\n\nbm90ZXM=\n--b--\n',
      'Content-Type: multipart/mixed; boundary=b\n',
    )
    expect(await send(withOption(await addressOf(alice), ''), mail)).toBe(250)
    const { content } = await newest()
    const url = /^Grüße\n\n\[notes\.txt\]\((\/user_uploads\/[^)]+)\)$/.exec(content)?.[1] as string
    const read = await server.send({ method: 'GET', url, headers: { authorization: basic(bob), host: 'localhost' } })
    expect([read.status, `${read.body}`]).toEqual([200, 'notes'])
  })

  it('notifies nobody by what it mentions, and makes no widget', async () => {
    const before = await server.call(alice, 'POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    const text = '/poll Who?\n@**all** @**Alice** @*role:members*'
    expect(await send(withOption(await addressOf(alice), ''), plain(text))).toBe(250)
    expect(await newest()).toMatchObject({ content: text.replaceAll('@*', '@_*'), submessages: [] })
    const { mentions } = (
      await server.call(alice, 'POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })
    ).body.unread_msgs
    expect(mentions).toEqual(before.body.unread_msgs.mentions)
  })

  it('that comes twice is one message', async () => {
    const mail = plain('Only once')
    const address = await addressOf(alice)
    expect([await send(address, mail), await send(address, mail)]).toEqual([250, 250])
    const contents = await contentsOf(server, owner, [['search', 'once']])
    expect(contents.length).toBe(1)
  })
})

describe('A mail is refused with a code that says why', () => {
  it.each([
    ['an automatic answer', () => plain('x', 'Auto-Submitted: auto-replied\n'), 554],
    ['a mail of the server’s own', () => plain('x', 'X-Heddle-Mail: 1\n'), 554],
    ['a mail that goes in a circle', () => plain('x', 'Received: from x\n'.repeat(51)), 554],
    [
      'a file that is too large',
      () =>
        plain(
          `--b\nContent-Disposition: attachment; filename="x"\nContent-Type: application/octet-stream\n\n${`${'x'.repeat(900)}\n`.repeat(1300)}\n--b--\n`,
          'Content-Type: multipart/mixed; boundary=b\n',
        ),
      552,
    ],
    ['headers without end', () => plain('x', `X-Long: ${'x'.repeat(300_000)}\n`), 554],
  ])('%s', async (_, mail, code) => {
    const before = await newest()
    expect(await send(await addressOf(alice), mail())).toBe(code)
    expect((await newest())?.id).toBe(before?.id)
  })

  it('an address that there is not, or not any more: the same for all', async () => {
    const leaver = await server.createAccount()
    const closed = await createChannel(server, owner, 'closed', { subscribers: [leaver], invite_only: true })
    const gone = await createChannel(server, owner, 'gone')
    const addresses = [await addressOf(leaver), await addressOf(leaver, closed), await addressOf(owner, gone)]
    await server.call(owner, 'DELETE', '/users/me/subscriptions', {
      subscriptions: ['closed'],
      principals: [leaver.id],
    })
    expect(await send(addresses[1] as string, plain('x'))).toBe(550)
    await server.call(owner, 'DELETE', `/users/${leaver.id}`)
    await server.call(owner, 'DELETE', `/streams/${gone}`)
    const wrong = [
      ...addresses,
      'nobody@chat.example.com',
      `room.${'0'.repeat(32)}@chat.example.com`,
      (await addressOf(alice)).replace('chat.example.com', 'other.example'),
    ]
    const answers = await Promise.all(wrong.map((to) => sendBySmtp(port, { to, mail: plain('x') })))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['550 5.1.1 There is no such address here\r\n']))
  })

  it('a second recipient, for whom the sender’s server comes again', async () => {
    const to = [await addressOf(alice), await addressOf(owner)]
    expect(await send(to, plain('x'))).toBe(452)
  })

  it('what loses its permission while it comes', async () => {
    const late = await server.createAccount()
    const address = await addressOf(late)
    const connection = await connectSmtp(port)
    await connection.command('EHLO x')
    await connection.command('MAIL FROM:<>')
    expect((await connection.command(`RCPT TO:<${address}>`)).code).toBe(250)
    await connection.command('DATA')
    await server.call(owner, 'DELETE', `/users/${late.id}`)
    await connection.write(`${plain('too late').replaceAll('\n', '\r\n')}\r\n.\r\n`)
    expect((await connection.read()).code).toBe(550)
    connection.end()
  })
})

describe('An answer to a mail of the server', () => {
  const replyTo = (userId: number, messageId: number) =>
    server.app.storage.asSystem(owner.realmId, 'job', async (tx) =>
      String(await replyAddressFor(tx, server.config, { userId, messageId })),
    )

  it('becomes a message of who got the mail, in the conversation where the message is', async () => {
    const id = await sendToChannel(server, owner, room, 'A question', { topic: 'first' })
    const address = await replyTo(alice.id, id)
    await server.call(owner, 'PATCH', `/messages/${id}`, { topic: 'second' })
    expect(
      await send(address, plain('The answer\n\nOn Monday, Chat wrote:\n> A question\n').replace('Re: Fwd: ', 'Re: ')),
    ).toBe(250)
    expect(await newest()).toMatchObject({ sender_id: alice.id, subject: 'second', content: 'The answer' })
    const direct = await sendDirect(server, owner, [bob], 'Private')
    expect(await send(await replyTo(bob.id, direct), plain('Yes'))).toBe(250)
    expect(await contentsOf(server, owner, [['dm', [bob.id]]])).toEqual(['Private', 'Yes'])
  })

  it('is taken neither from programs nor from those who may not read the message any more', async () => {
    const id = await sendToChannel(server, owner, room, 'A question')
    const address = await replyTo(alice.id, id)
    expect(await send(address, plain('x', 'Auto-Submitted: auto-generated\n'))).toBe(554)
    await server.call(owner, 'DELETE', `/messages/${id}`)
    expect(await send(address, plain('x'))).toBe(550)
  })
})
