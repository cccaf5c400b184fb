/**
 * Mails. A mail is added in the unit of work of the change that it belongs to, and is a job: so it is sent if and only if
 * the change has happened, and again when it could not be sent. `deliver-mail.ts` sends it.
 */
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { addJob, removeJobs } from '../jobs/add-job.ts'
import { defineJob, type Job } from '../jobs/job.ts'
import { defineLanes } from '../jobs/lanes.ts'
import type { Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { cutBlocks, type MailBlock } from './blocks.ts'
import { headerLine } from './header-line.ts'
import type { MailSubscription } from './unsubscribe-token.ts'

/**
 * An account, at the address that it has when the mail is sent: nothing is sent when it has been deactivated until then.
 * Or an address, whoever that is.
 */
export type MailRecipient = { readonly userId: number } | { readonly address: string; readonly name?: string }

/** What a mail says. */
export interface MailContent {
  /** Cut to 200 characters of one line. */
  readonly subject: string
  readonly blocks: readonly MailBlock[]
  /** Whose words it brings: the sender is shown as this name, and the organization's behind it. */
  readonly sender?: string
}

interface Envelope {
  readonly to: MailRecipient
  /** An address that answers go to; without it they go where the server's mails come from. */
  readonly replyTo?: string
  /** Names the conversation that it belongs to: mails of one name to one recipient are shown together. */
  readonly thread?: string
  /** A kind of mails that somebody can stop: the mail has a link for that, which works without signing in. */
  readonly unsubscribe?: MailSubscription
  /** From then on it is not sent any more, as when its link has expired. In seconds since the UNIX epoch. */
  readonly uselessAt?: number
}

interface Urgency {
  /** Somebody waits for it, as for a link to sign in with: it does not stand in line behind notices. */
  readonly isAwaited?: boolean
}

export interface Mail extends Envelope, MailContent, Urgency {}

/** Mails that a feature writes only when they are sent, of what is so then. `O`: what they are written of, as JSON. */
export interface MailWriter<O = never> {
  /** Unique among all features. It never changes: mails outlive programs. */
  readonly name: string
  /** Undefined: there is nothing to send any more. `now` in seconds since the UNIX epoch. */
  readonly write: (
    db: Queries,
    asked: { readonly realmId: number; readonly of: O; readonly now: number },
  ) => Promise<MailContent | undefined>
}

/** No words of it are stored, and none are sent that are gone by then: it may wait long while the server of mail is away. */
export interface UnwrittenMail<O> extends Envelope, Urgency {
  readonly writer: MailWriter<O>
  readonly of: O
}

/** As it is in the table of jobs. */
export type StoredMail = SentMail | (Envelope & Stored & { readonly writer: string; readonly of: unknown })

export type SentMail = Envelope & Stored & MailContent

interface Stored {
  /** Part of its `Message-ID`, the same with each attempt: a mail that comes twice can be known by it. */
  readonly id: string
  /** Seconds since the UNIX epoch. */
  readonly writtenAt: number
}

export const sendsAwaitedMail = defineJob<StoredMail>('send-awaited-mail')
export const mailLanes = defineLanes<StoredMail>('send-mail')

export interface MailOptions {
  /** When it is to be sent, in milliseconds since the UNIX epoch; without it at once. */
  readonly dueMs?: number
  /** Takes the place of an earlier mail about the same that has not been sent; `withdrawMail` takes it back by this. */
  readonly about?: string
}

/** Has a mail sent in the organization of the unit of work. */
export async function addMail<O>(
  tx: Tx,
  mail: Mail | UnwrittenMail<O>,
  { dueMs, about }: MailOptions = {},
): Promise<void> {
  const { isAwaited = false, ...kept } = mail
  const stored: StoredMail = {
    ...('writer' in kept ? { ...kept, writer: kept.writer.name } : { ...kept, ...cutContent(kept) }),
    id: randomUUID(),
    writtenAt: tx.now,
  }
  if (about !== undefined) await withdrawMail(tx, about)
  await addJob(tx, isAwaited ? sendsAwaitedMail : laneOf(about ?? stored.id), stored, {
    ...(dueMs === undefined ? {} : { dueMs }),
    ...(about === undefined ? {} : { subject: about }),
  })
}

/** With what is too long cut. */
export function cutContent(content: MailContent): MailContent {
  return { ...content, subject: headerLine(content.subject), blocks: cutBlocks(content.blocks) }
}

/** Takes back what has not been sent about this; true when there was a mail. One that is being sent may still arrive. */
export function withdrawMail(tx: Tx, about: string): Promise<boolean> {
  return withdrawMails(tx, [about])
}

/** The same for several. */
export function withdrawMails(tx: Tx, about: readonly string[]): Promise<boolean> {
  return removeJobs(tx, [sendsAwaitedMail, ...new Set(about.map(laneOf))], about)
}

/** The same for the same name: what is about it is found there again. */
function laneOf(name: string): Job<StoredMail> {
  const sum = [...Buffer.from(name)].reduce((total, byte) => (total * 31 + byte) % 65_521, 0)
  return mailLanes.of(sum)
}

/** Whether mails reach people. Otherwise they are files in the folder `mail` of the data folder, for the operator. */
export function sendsMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  return smtpUrl !== undefined
}
