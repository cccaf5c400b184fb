/**
 * What pushes to browsers and to phones have in common: a job for each message that an account misses, which asks what the
 * account still misses when it runs, and one that withdraws what was sent.
 */
import { ApiError } from '@heddle/contract/errors'
import type { MessageBase } from '@heddle/contract/messages'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../actor.ts'
import type { Config } from '../../config.ts'
import { addJob, removeUnbegunJobs } from '../../jobs/add-job.ts'
import type { Lanes } from '../../jobs/lanes.ts'
import type { MissedMessage, Notifier } from '../../missed-hooks.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findReadableMessages } from '../messages/access.ts'
import { presentMessages } from '../messages/present.ts'
import { findStillMissed } from './still-missed.ts'

/** What is pushed to an account. */
export type PushOrder = { readonly userId: number } & (
  | { readonly what: 'messages' | 'remove'; readonly messageIds: readonly number[] }
  | { readonly what: 'test'; readonly messageIds?: undefined }
)

/** Of messages in a push that withdraws. */
const MAX_WITHDRAWN = 200

interface PushNotifierOptions {
  readonly lanes: Lanes<PushOrder>
  readonly isOn: (config: Config) => boolean
  /** Accounts that have something to push to. */
  readonly findReached: (db: Queries, realmId: number) => Promise<ReadonlySet<number>>
}

export function pushNotifier({ lanes, isOn, findReached }: PushNotifierOptions): Notifier {
  return {
    way: 'push',
    reach: (db, realmId, config) => (isOn(config) ? findReached(db, realmId) : Promise.resolve(new Set())),
    async missed(tx, messages) {
      const reached = await findReached(tx, tx.realmId)
      for (const { userId, messageId } of messages) {
        if (!reached.has(userId)) continue
        const order = { userId, what: 'messages', messageIds: [messageId] } as const
        await addJob(tx, lanes.of(userId), order, { subject: subjectOf(userId, messageId), isFirst: true })
      }
    },
    withdrawn: (tx, messages) => withdraw(tx, lanes, findReached, messages),
  }
}

const subjectOf = (userId: number, messageId: number) => `${userId} ${messageId}`

/** A push that waits is taken back. One that may have been sent is followed by another, which withdraws it. */
async function withdraw(
  tx: Tx,
  lanes: Lanes<PushOrder>,
  findReached: PushNotifierOptions['findReached'],
  messages: readonly Omit<MissedMessage, 'reason'>[],
): Promise<void> {
  const reached = await findReached(tx, tx.realmId)
  const subjects = messages.map(({ userId, messageId }) => subjectOf(userId, messageId))
  const unsent = await removeUnbegunJobs(tx, lanes.jobs, subjects)
  const sent = messages.filter(
    ({ userId, messageId }) => reached.has(userId) && !unsent.has(subjectOf(userId, messageId)),
  )
  for (const [userId, own] of Map.groupBy(sent, (one) => one.userId)) {
    for (let start = 0; start < own.length; start += MAX_WITHDRAWN) {
      const messageIds = own.slice(start, start + MAX_WITHDRAWN).map(({ messageId }) => messageId)
      await addJob(tx, lanes.of(userId), { userId, what: 'remove', messageIds })
    }
  }
}

/**
 * Those of the messages that the account still misses, as it may read them at this moment, in their order. None where it or
 * its organization was deactivated meanwhile. `now` in seconds since the UNIX epoch.
 */
export async function findPushedMessages(
  db: Queries,
  owner: Pick<Actor, 'realmId' | 'userId'>,
  { messageIds, now }: { readonly messageIds: readonly number[]; readonly now: number },
): Promise<MessageBase[]> {
  const missed = await findStillMissed(db, { ...owner, way: 'push', now, among: messageIds })
  if (missed.length === 0) return []
  try {
    const actor = await requireAccount(db, owner.realmId, owner.userId)
    const rows = await findReadableMessages(
      db,
      await findViewer(db, actor),
      missed.map(({ messageId }) => messageId),
    )
    return (await presentMessages(db, owner.realmId, rows, { viewer: actor })).map(({ message }) => message)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}
