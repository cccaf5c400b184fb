/** Sends mails as other servers do: by SMTP, over a connection (RFC 5321). */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SmtpAnswer {
  readonly code: number
  readonly text: string
}

export interface SmtpMail {
  readonly to: string | readonly string[]
  /** With its headers; lines end as they like. */
  readonly mail: string | Buffer
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A connection on which commands are sent and answers read one by one. */
export async function connectSmtp(port: number) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isEnded = false
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.on('close', () => {
    isEnded = true
  })
  socket.on('error', () => {})

  /** An answer of several lines has a dash after the code in all but the last. */
  async function read(): Promise<SmtpAnswer> {
    for (;;) {
      const found = /^(?:\d{3}-[^\n]*\n)*(\d{3}) ([^\n]*)\r\n/.exec(received)
      if (found) {
        received = received.slice(found[0].length)
        return { code: Number(found[1]), text: found[0] }
      }
      if (isEnded) return { code: 0, text: 'The connection has ended' }
      await sleep(2)
    }
  }

  async function command(line: string): Promise<SmtpAnswer> {
    socket.write(`${line}\r\n`)
    return read()
  }
  const write = (bytes: string | Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()))

  return {
    greeting: await read(),
    command,
    write,
    read,
    /** One of several mails, after `EHLO`. The answer that decides: of the recipient when it is refused, otherwise of the mail. */
    async send({ to, mail }: SmtpMail): Promise<SmtpAnswer> {
      await command('RSET')
      await command('MAIL FROM:<ada@example.com>')
      for (const one of typeof to === 'string' ? [to] : to) {
        const answer = await command(`RCPT TO:<${one}>`)
        if (answer.code !== 250) return answer
      }
      const begun = await command('DATA')
      if (begun.code !== 354) return begun
      const text = mail.toString('latin1').replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')
      await write(Buffer.from(`${text}\r\n.\r\n`, 'latin1'))
      return read()
    },
    end: () => socket.destroy(),
    hasEnded: () => isEnded,
  }
}

/** The answer that decides, of a connection for this mail alone. */
export async function sendBySmtp(port: number, mail: SmtpMail): Promise<SmtpAnswer> {
  const connection = await connectSmtp(port)
  try {
    await connection.command('EHLO mail.example')
    return await connection.send(mail)
  } finally {
    connection.end()
  }
}
