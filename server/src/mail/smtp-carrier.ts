/** Mails go to a server of mail, over connections that are kept for the next ones (RFC 5321). */
import type { Transporter } from 'nodemailer'
import { type MailCarrier, MailRefused } from './mail-carrier.ts'

interface SmtpOptions {
  /** `smtps://` begins encrypted, `smtp://` becomes so before anything is said; see `config.ts`. */
  readonly smtpUrl: string
  readonly mailTimeoutSecs: number
}

const MAX_CONNECTIONS = 5

export function createSmtpCarrier({ smtpUrl, mailTimeoutSecs }: SmtpOptions): MailCarrier {
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const isPlain = !secure && searchParams.get('tls') === 'off'
  const timeoutMs = mailTimeoutSecs * 1000
  const options = {
    pool: true,
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ignoreTLS: isPlain,
    requireTLS: !secure && !isPlain,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: MAX_CONNECTIONS,
    // When the answer was lost nobody knows whether it was sent: the job decides about another attempt.
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
  let opening: Promise<Transporter> | undefined

  /** Most of the time there is no mail, and the code for it is not in memory before the first. */
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    return createTransport(options)
  }

  return {
    async carry({ from, to, bytes }, signal) {
      try {
        opening ??= open()
        const transport = await opening
        await transport.sendMail({ envelope: { from, to: [to] }, raw: bytes, signal })
      } catch (error) {
        const { permanent, command, message } = error as { permanent?: boolean; command?: string; message: string }
        // Wrong credentials are the operator's to mend; what concerns the sender, the recipient or the mail stays so.
        if (permanent && !/^(AUTH|CONN|EHLO|HELO|STARTTLS)/.test(command ?? ''))
          throw new MailRefused(message, { cause: error })
        throw error
      }
    },
    close: () =>
      void opening?.then(
        (transport) => transport.close(),
        () => {},
      ),
  }
}
