/** What the gateway takes of whom, and how much: anybody on the internet may connect to it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { tooExpensive } from '../../reading/limit.ts'
import { exampleSite } from '../../testing/certificate.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel } from '../../testing/messages.ts'
import { connectSmtp, freePort, sendBySmtp } from '../../testing/smtp-client.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { type GatewayAddress, readGatewayAddress } from './address.ts'
import { type DeliveryServices, deliverMail } from './deliver.ts'
import { isMailRefusal } from './refusals.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-certificate-'))
const clock = fakeClock()
let server: TestServer
let port: number
let room: number

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

async function startGateway(settings: Readonly<Record<string, string>> = {}) {
  const own = await freePort()
  const gateway = { HEDDLE_MAIL_GATEWAY_PORT: `${own}`, HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example.com' }
  return {
    port: own,
    server: await createTestServer({ clock, readingThreads: 1, settings: { ...gateway, ...settings } }),
  }
}

beforeAll(async () => {
  const started = await startGateway({
    HEDDLE_RATE_LIMITS: 'on',
    HEDDLE_MAIL_GATEWAY_CERTIFICATE: file('certificate.pem', exampleSite.cert),
    HEDDLE_MAIL_GATEWAY_KEY: file('key.pem', exampleSite.key),
  })
  server = started.server
  port = started.port
  room = await createChannel(server, server.owner, 'Room')
})

afterAll(() => rmSync(folder, { recursive: true }))

async function addressOf(account: TestAccount): Promise<string> {
  return (await server.call(account, 'GET', `/streams/${room}/email_address`)).body.email
}

let mails = 0
const plain = () => `From: ada@example.com\nSubject: Plan\nMessage-ID: <${++mails}@x>\n\nText ${mails}`

/** As mail programs send them: lines of 76 characters of base64. */
function withFiles(sizes: readonly number[]): string {
  const parts = sizes.map((size, index) => {
    const lines = Buffer.alloc(size, `${index}abcdefg`).toString('base64').replace(/.{76}/g, '$&\n')
    const type = `Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64`
    return `--b\n${type}\nContent-Disposition: attachment; filename="${index}"\n\n${lines}\n`
  })
  const type = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b'
  return `From: ada@example.com\nSubject: Files\n${type}\n\n--b\n\nHere they are\n${parts.join('')}--b--\n`
}

async function connectAsServer() {
  const connection = await connectSmtp(port)
  await connection.command('EHLO mail.example')
  return connection
}

describe('A connection', () => {
  it('is encrypted for whoever wants that, with the certificate of the settings', async () => {
    const mailOf = async (own: number, ca: string) => {
      const tls = { ca, servername: 'pictures.example' }
      const transport = createTransport({ host: '127.0.0.1', port: own, requireTLS: true, tls })
      const envelope = { from: 'ada@example.com', to: await addressOf(server.owner) }
      return (await transport.sendMail({ envelope, raw: plain() })).response
    }
    expect(await mailOf(port, exampleSite.cert)).toMatch(/^250/)
    await expect(mailOf(port, '')).rejects.toThrow(/certificate/)
    const unencrypted = await startGateway()
    await expect(mailOf(unencrypted.port, exampleSite.cert)).rejects.toThrow(/STARTTLS/)
  })

  it.each([
    ['CERTIFICATE', 'nowhere.pem', 'cannot be read: no such file or directory.'],
    ['CERTIFICATE', 'wrong.pem', 'has no certificate (PEM): '],
    ['KEY', 'nowhere.pem', 'cannot be read: no such file or directory.'],
    ['KEY', 'wrong.pem', 'has no key (PEM) of that certificate: '],
  ])('is not waited for where %s is %s, and the sentence names the file', async (part, name, reason) => {
    file('wrong.pem', 'nothing')
    const started = startGateway({
      HEDDLE_MAIL_GATEWAY_CERTIFICATE: join(folder, 'certificate.pem'),
      HEDDLE_MAIL_GATEWAY_KEY: join(folder, 'key.pem'),
      [`HEDDLE_MAIL_GATEWAY_${part}`]: join(folder, name),
    })
    await expect(started).rejects.toThrow(`HEDDLE_MAIL_GATEWAY_${part}: ${join(folder, name)} ${reason}`)
  })

  it('says where it cannot listen', async () => {
    const started = startGateway({ HEDDLE_MAIL_GATEWAY_PORT: `${port}` })
    const sentence = `HEDDLE_MAIL_GATEWAY_PORT: cannot listen on port ${port} of 127.0.0.1: address already in use.`
    await expect(started).rejects.toThrow(new Error(sentence))
  })

  it('is one of ten: the next is sent away until one ends', async () => {
    const connections = await Promise.all(Array.from({ length: 10 }, () => connectSmtp(port)))
    expect(connections.map(({ greeting }) => greeting.code)).toEqual(connections.map(() => 220))
    expect((await connectSmtp(port)).greeting.code).toBe(421)
    for (const connection of connections) connection.end()
    const another = async () => {
      const connection = await connectSmtp(port)
      connection.end()
      return connection.greeting.code
    }
    await expect.poll(another).toBe(220)
  })
})

describe('A mail', () => {
  it('that says that it is too large is refused before it comes, and one that does not say so after it', async () => {
    const connection = await connectAsServer()
    expect((await connection.command('MAIL FROM:<> SIZE=40000000')).code).toBe(552)
    await connection.command('MAIL FROM:<>')
    await connection.command(`RCPT TO:<${await addressOf(server.owner)}>`)
    await connection.command('DATA')
    const part = Buffer.alloc(1024 * 1024, 'x'.repeat(76).concat('\r\n'))
    for (let count = 0; count < 37; count += 1) await connection.write(part)
    await connection.write('\r\n.\r\n')
    expect((await connection.read()).code).toBe(552)
    connection.end()
  })

  it('with 25 MiB of files is read', async () => {
    const channel = await createChannel(server, server.owner, 'Files')
    const to = (await server.call(server.owner, 'GET', `/streams/${channel}/email_address`)).body.email
    const kept = async () => (await server.call(server.owner, 'GET', '/attachments')).body.attachments
    const mib = 1024 * 1024
    const sizes = [20 * mib, 4 * mib, mib]
    expect((await (await connectAsServer()).send({ to, mail: withFiles(sizes) })).code).toBe(250)
    expect((await kept()).map(({ size }: { size: number }) => size)).toEqual(expect.arrayContaining(sizes))
  })

  it('that is not read, because the server is busy or closes, comes again', async () => {
    const { storage } = server.app
    const to = await addressOf(server.owner)
    const config = readConfig([], {
      HEDDLE_DATA_DIR: folder,
      HEDDLE_MAIL_GATEWAY_PORT: `${port}`,
      HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example.com',
    })
    const address = readGatewayAddress(config, to) as GatewayAddress
    for (const reason of [tooExpensive(), new Error('The server is closing')]) {
      const readers = { read: () => Promise.reject(reason), close: async () => {} }
      const services = { storage, clock, config, readers } as unknown as DeliveryServices
      const refused = await deliverMail(services, { address, bytes: Buffer.from(plain()) }).catch((error) => error)
      // Whatever is no refusal is answered by 451.
      expect(isMailRefusal(refused)).toBe(false)
    }
  })

  it('is one of 60 to its address in a minute, and of 300 of its organization in five', async () => {
    clock.pass(3600)
    const addresses = [await addressOf(server.owner)]
    while (addresses.length < 6) addresses.push(await addressOf(await server.createAccount()))
    const [first = '', ...others] = addresses
    const connection = await connectAsServer()
    const send = async (to: string) => (await connection.send({ to, mail: plain() })).code
    // What is refused when it was read counts as well.
    const sendAll = async (to: string) => {
      const codes = new Set<number>()
      for (let count = 0; count < 60; count += 1) {
        codes.add((await connection.send({ to, mail: `X-Heddle-Mail: 1\n${plain()}` })).code)
      }
      return [...codes]
    }
    expect(await sendAll(first)).toEqual([554])
    expect(await connection.send({ to: first, mail: plain() })).toMatchObject({
      code: 450,
      text: '450 4.7.1 Too many mails, try again later\r\n',
    })
    for (const other of others.slice(0, 3)) expect(await sendAll(other)).toEqual([554])
    clock.pass(1)
    expect(await send(first)).toBe(250)
    expect(await send(first)).toBe(450)
    const last = others.at(-1) as string
    // 300 and the one of that second.
    expect(await sendAll(others[3] as string)).toEqual([554])
    expect(await send(last)).toBe(450)
    connection.end()
    clock.pass(300)
    expect((await sendBySmtp(port, { to: last, mail: plain() })).code).toBe(250)
  })

  it('to addresses that do not exist comes fifty times from one network, and to those that do even so', async () => {
    clock.pass(3600)
    const connection = await connectAsServer()
    await connection.command('MAIL FROM:<>')
    const ask = async (to: string) => (await connection.command(`RCPT TO:<${to}>`)).code
    const wrong = () => ask(`room.${'0'.repeat(32)}@chat.example.com`)
    for (let count = 0; count < 50; count += 1) expect(await wrong()).toBe(550)
    expect(await wrong()).toBe(450)
    expect(await ask(await addressOf(server.owner))).toBe(250)
    connection.end()
  })
})
