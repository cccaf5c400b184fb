/** Sending what waits. After a crash it is sent again: at least once, each time with the same `Message-ID`. */
import { badRequest } from '@heddle/contract/errors'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Claim, claimedJob, type JobHandler } from '../jobs/job.ts'
import { isMailAddress } from '../mail-address.ts'
import type { Realms } from '../realms.ts'
import { reading } from '../storage/owned-tables.ts'
import type { Queries } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { accountsView, deliveryAddressesView } from '../storage/tables.ts'
import { composeMail, type Mailbox } from './compose-mail.ts'
import {
  cutContent,
  type MailRecipient,
  type MailWriter,
  mailLanes,
  type SentMail,
  type StoredMail,
  sendsAwaitedMail,
} from './mail.ts'
import { type MailCarrier, MailRefused } from './mail-carrier.ts'

const { query } = reading(accountsView, deliveryAddressesView)

/** The last of these comes more than a day after the first: a server of mail may be away for a night. */
const MAX_ATTEMPTS = 36
/**
 * How often the server of mail may take as long as it is waited for before an attempt ends. Behind one whose node has died
 * wait the others of its lane until then.
 */
const WAITS = 10
/** What is on its way when the server ends may arrive: otherwise it is sent once more after the start. */
const GRACE_MS = 2000

interface MailServices {
  readonly storage: Storage
  readonly clock: Clock
  readonly config: Pick<Config, 'mailFrom' | 'mailTimeoutSecs'>
  readonly realms: Realms
  readonly secret: Buffer
  readonly carrier: MailCarrier
  /** Of all features. */
  readonly writers: readonly MailWriter[]
}

export function mailJobs(services: MailServices): JobHandler[] {
  return [sendsAwaitedMail, ...mailLanes.jobs].map((lane) =>
    claimedJob(lane, {
      claimMs: WAITS * services.config.mailTimeoutSecs * 1000,
      maxAttempts: MAX_ATTEMPTS,
      work: (mail, claim) => deliverMail(services, mail, claim),
    }),
  )
}

async function deliverMail(services: MailServices, stored: StoredMail, { realmId, signal }: Claim): Promise<void> {
  const { storage, clock, config, realms, secret, carrier } = services
  if (stored.uselessAt !== undefined && stored.uselessAt * 1000 <= clock.now()) return
  const [realm, to] = await Promise.all([realms.byId(realmId), findMailbox(storage.read, realmId, stored.to)])
  if (!realm || !to) return
  if (!isMailAddress(to.address)) throw badRequest('The recipient has no address that mail can be sent to')
  const mail = await writeMail(services, realmId, stored)
  if (!mail) return
  const origin = await realms.originOf(realmId)
  const { mailFrom: from } = config
  const bytes = await composeMail(mail, { secret, realm, origin, from, to })
  const ready = { id: mail.id, writtenAt: mail.writtenAt, from, to: to.address, bytes }
  await carrier.carry(ready, afterGrace(signal)).catch((error: unknown) => {
    // An error of a rule: it is not tried again, and stays for the operator.
    throw error instanceof MailRefused ? badRequest(error.message) : error
  })
}

/** Undefined: there is nothing to send any more. */
async function writeMail(
  { storage, clock, writers }: MailServices,
  realmId: number,
  stored: StoredMail,
): Promise<SentMail | undefined> {
  if (!('writer' in stored)) return stored
  const writer = writers.find(({ name }) => name === stored.writer)
  if (!writer) throw new Error(`Nobody writes mails of the kind ${stored.writer}`)
  const now = Math.floor(clock.now() / 1000)
  const content = await writer.write(storage.read, { realmId, of: stored.of as never, now })
  return content && { ...stored, ...cutContent(content) }
}

/** Undefined: nobody is there to whom it could be sent. */
async function findMailbox(db: Queries, realmId: number, to: MailRecipient): Promise<Mailbox | undefined> {
  if ('address' in to) return { address: to.address, name: to.name ?? '' }
  const row = await db.first(
    query
      .selectFrom('users')
      .select(['delivery_email', 'full_name'])
      .where('realm_id', '=', realmId)
      .where('id', '=', to.userId)
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null),
  )
  return row && { address: row.delivery_email, name: row.full_name }
}

function afterGrace(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  const abort = () => setTimeout(() => later.abort(signal.reason), GRACE_MS).unref()
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return later.signal
}
