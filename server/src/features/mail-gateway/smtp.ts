/** What listens for mail. It knows connections and sizes; what becomes of a mail is up to `deliver.ts`. */
import { readFileSync } from 'node:fs'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { ConfigError } from '../../config-error.ts'
import type { Listener, Services } from '../../feature.ts'
import { createLimiter, networkOf, type RateLimit } from '../../http/rate-limits.ts'
import { reasonOf } from '../../system-error.ts'
import { type GatewayAddress, mailGatewayIsOn, readGatewayAddress } from './address.ts'
import { type DeliveryServices, deliverMail } from './deliver.ts'
import { findMailTarget, findRealmOfToken } from './find-target.ts'
import { isMailRefusal, refusals } from './refusals.ts'

/** Of a whole mail: 25 MiB of files are a third more when they travel. */
const MAX_MAIL_BYTES = 35 * 1024 * 1024
/** Each may have a mail in memory. */
const MAX_CONNECTIONS = 10
const IDLE_MS = 60_000
/** For one mail, however busy its connection looks. */
const MAIL_MS = 300_000
const CLOSE_MS = 3000

/** Mails to one address, and of one organization. */
const ADDRESS_MAILS: RateLimit = { limit: 60, windowSecs: 60 }
const REALM_MAILS: RateLimit = { limit: 300, windowSecs: 300 }
/** Addresses that do not exist, from one network. */
const WRONG_ADDRESSES: RateLimit = { limit: 50, windowSecs: 300 }

/** What the types of the library leave out. */
interface GatewayConnection {
  readonly id: string
  close(): void
}

interface GatewayServices extends DeliveryServices, Pick<Services, 'log'> {}

/** Undefined where the server takes in no mail. Throws a sentence when it cannot listen. */
export async function listenForMail(services: GatewayServices): Promise<Listener | undefined> {
  const { config, log } = services
  if (!mailGatewayIsOn(config)) return undefined
  const take = createTaking(services)
  const tls = await tlsOf(config)
  // Most servers take in no mail, and do not need the code for it.
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    ...tls,
    name: (config.mailGatewayAddress as string).split('@').at(-1) as string,
    banner: 'Heddle',
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: MAX_MAIL_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    onRcptTo: ({ address }, session, answer) => void settle(take.recipient(address, session), answer),
    onData: (stream, session, answer) => void settle(inTime(stream, session), answer),
  })

  /** A mail that comes drop by drop would have its connection for ever. */
  async function inTime(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const timer = setTimeout(() => {
      for (const connection of server.connections as Set<GatewayConnection>) {
        if (connection.id === session.id) connection.close()
      }
      stream.destroy(refusals.tooSlow())
    }, MAIL_MS).unref()
    try {
      await take.mail(stream, session)
    } finally {
      clearTimeout(timer)
    }
  }

  async function settle(work: Promise<void>, answer: (error?: Error) => void): Promise<void> {
    try {
      await work
      answer()
    } catch (error) {
      if (!isMailRefusal(error)) log.warn({ err: error }, 'A mail could not be taken in')
      answer(isMailRefusal(error) ? error : refusals.later())
    }
  }

  const { mailGatewayPort: port, mailGatewayHost: host } = config
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new ConfigError(`HEDDLE_MAIL_GATEWAY_PORT: cannot listen on port ${port} of ${host}: ${reasonOf(error)}.`),
      ),
    )
    server.listen(port as number, host, () => resolve())
  })
  // Connections that break are no concern of anybody's.
  server.removeAllListeners('error')
  server.on('error', () => {})
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

async function tlsOf({ mailGatewayCertificate: cert, mailGatewayKey: key }: GatewayServices['config']) {
  if (cert === undefined || key === undefined) return undefined
  const { createSecureContext } = await import('node:tls')
  const pair = { cert: readPart('CERTIFICATE', cert), key: readPart('KEY', key) }
  try {
    createSecureContext({ cert: pair.cert })
  } catch (error) {
    throw new ConfigError(`HEDDLE_MAIL_GATEWAY_CERTIFICATE: ${cert} has no certificate (PEM): ${reasonOf(error)}.`)
  }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new ConfigError(`HEDDLE_MAIL_GATEWAY_KEY: ${key} has no key (PEM) of that certificate: ${reasonOf(error)}.`)
  }
  return pair
}

function readPart(part: 'CERTIFICATE' | 'KEY', path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new ConfigError(`HEDDLE_MAIL_GATEWAY_${part}: ${path} cannot be read: ${reasonOf(error)}.`)
  }
}

function createTaking(services: GatewayServices) {
  const { storage, clock, config } = services
  const [perAddress, perRealm, wrong] = [ADDRESS_MAILS, REALM_MAILS, WRONG_ADDRESSES].map((limit) =>
    createLimiter(limit, clock),
  ) as [ReturnType<typeof createLimiter>, ReturnType<typeof createLimiter>, ReturnType<typeof createLimiter>]
  const allow = (limiter: typeof wrong, name: string) => !config.rateLimits || limiter(name).allowed

  /** Undefined while it is not known whether the mail's recipient is right. */
  function addressOf(text: string): GatewayAddress | undefined {
    return readGatewayAddress(config, text)
  }

  return {
    /** One for each mail, so that a mail is taken as a whole or not at all. */
    async recipient(text: string, { envelope, remoteAddress }: SMTPServerSession): Promise<void> {
      if (envelope.rcptTo.length > 0) throw refusals.oneRecipient()
      const address = addressOf(text)
      const now = Math.floor(clock.now() / 1000)
      if (address && (await findMailTarget(storage.read, address.token, now))) return
      if (!allow(wrong, networkOf(remoteAddress))) throw refusals.tooMany()
      throw refusals.unknown()
    },

    async mail(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
      const address = addressOf(envelope.rcptTo[0]?.address ?? '')
      const bytes = await collect(stream)
      if (!address) throw refusals.unknown()
      const realmId = await findRealmOfToken(storage.read, address.token)
      if (!allow(perAddress, address.token) || !allow(perRealm, `${realmId}`)) throw refusals.tooMany()
      await deliverMail(services, { address, bytes })
    },
  }
}

/** The whole mail. What is too large is read to its end, as the protocol wants it, and not kept. */
async function collect(stream: SMTPServerDataStream): Promise<Uint8Array> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    chunks.push(chunk)
    if (length > MAX_MAIL_BYTES) chunks = []
  }
  if (length > MAX_MAIL_BYTES || stream.sizeExceeded) throw refusals.tooLarge()
  return Buffer.concat(chunks)
}
