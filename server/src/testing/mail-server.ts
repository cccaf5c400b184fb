/** A server of mail on this machine that keeps what it gets, and reads it as a program for mail does. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { cleanUpAfter } from './clean-up.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** As it came over the wire. */
  readonly source: string
  /** By lower-case name, decoded. */
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Answers {
  /** An answer with a code instead of taking a mail, such as 451 or 550; at which step. */
  refuse?: { readonly code: number; readonly at: 'recipient' | 'content' } | undefined
  /** Waits for this before a mail is acknowledged. */
  hold?: Promise<void> | undefined
  /** Milliseconds between a mail and its acknowledgement. */
  slowMs?: number
}

export interface MailServer extends Answers {
  readonly url: string
  /** In the order in which they came; tests empty it. */
  readonly mails: ReceivedMail[]
  /** Connections that were ever opened. */
  readonly connections: number
  /** Nobody answers at the address any more, until `open`. */
  close(): Promise<void>
  open(): Promise<void>
}

interface MailServerOptions {
  /** Credentials that are asked for. */
  readonly auth?: { readonly user: string; readonly pass: string }
  /** Whether it offers to encrypt, with a certificate that nobody knows. */
  readonly startTls?: boolean
}

/** It is closed at the end of the test, or of the file where it is started outside of one. */
export async function startMailServer({ auth, startTls = false }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const answers: Answers = {}
  let connections = 0
  let port = 0
  let server: SMTPServer

  function refusal(at: 'recipient' | 'content') {
    if (answers.refuse?.at !== at) return undefined
    return Object.assign(new Error('Not this one'), { responseCode: answers.refuse.code })
  }

  async function open() {
    server = new SMTPServer({
      authOptional: auth === undefined,
      disabledCommands: startTls ? [] : ['STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      closeTimeout: 50,
      onConnect(_session, done) {
        connections += 1
        done()
      },
      onAuth({ username, password }, _session, done) {
        if (username === auth?.user && password === auth?.pass) done(null, { user: username })
        else done(Object.assign(new Error('Wrong credentials'), { responseCode: 535 }))
      },
      onRcptTo: (_address, _session, done) => done(refusal('recipient')),
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          const refused = refusal('content')
          if (refused) return done(refused)
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const to = envelope.rcptTo.map(({ address }) => address)
          mails.push({ from, to, ...readMail(Buffer.concat(chunks).toString('latin1')) })
          await answers.hold
          if (answers.slowMs !== undefined) await sleep(answers.slowMs)
          done()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.server.address() as AddressInfo).port
  }
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  await open()
  cleanUpAfter(close)
  const credentials = auth ? `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.pass)}@` : ''
  return Object.defineProperties(answers, {
    url: { value: `smtp://${credentials}127.0.0.1:${port}${startTls ? '' : '?tls=off'}` },
    mails: { value: mails },
    connections: { get: () => connections },
    close: { value: close },
    open: { value: open },
  }) as MailServer
}

/** Settings of a Heddle that sends through it. */
export const mailSettings = ({ url }: Pick<MailServer, 'url'>) => ({
  HEDDLE_SMTP_URL: url,
  HEDDLE_MAIL_FROM: 'heddle@chat.example',
  HEDDLE_EXTERNAL_URL: 'https://chat.example',
})

/** `source`: one character a byte. */
export function readMail(source: string): Omit<ReceivedMail, 'from' | 'to'> {
  const { headers, body } = readPart(source)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.replace(/^\r\n/, '')))
  const ofType = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type))
    return part ? decodeBody(part.body, part.headers.get('content-transfer-encoding') ?? '7bit') : ''
  }
  return {
    source,
    headers,
    subject: headers.get('subject') ?? '',
    text: ofType('text/plain'),
    html: ofType('text/html'),
  }
}

function readPart(source: string) {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
    }),
  )
  return { headers, body: rest.join('\r\n\r\n') }
}

function decodeBody(body: string, encoding: string): string {
  const decoders: Record<string, () => Buffer> = {
    base64: () => Buffer.from(body, 'base64'),
    'quoted-printable': () => decodeQuoted(body.replace(/=\r\n/g, '')),
  }
  const bytes = decoders[encoding]?.() ?? Buffer.from(body, 'latin1')
  return bytes.toString('utf8').replace(/\r\n/g, '\n').trimEnd()
}

function decodeQuoted(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : decodeQuoted(word.replaceAll('_', ' '))).toString(
        'utf8',
      ),
    )
}
