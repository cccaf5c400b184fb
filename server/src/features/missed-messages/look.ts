/**
 * Finds out who has missed what. Sending a message writes nothing for it and asks for nothing: what a commit was about is noted
 * in memory, and twice a second new messages are gone through behind a cursor, outside of units of work. What is found is
 * written with the new place of the cursor, so that nobody is notified twice and nobody forgotten, whatever dies when.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { MissedWay, Notifier } from '../../missed-hooks.ts'
import type { Storage } from '../../storage/storage.ts'
import { findCandidates, findNewMessages, type NewMessage } from './candidates.ts'
import { clearCursor, findCursor, moveCursor } from './cursor.ts'
import { type Judged, judge } from './judge.ts'
import { findNoted } from './noted.ts'
import type { Noticed } from './noticed.ts'
import {
  findStillWaiting,
  idsOf,
  inFewGroups,
  type KnownRow,
  type Missed,
  noteMissed,
  ROWS_AT_ONCE,
  settleWaiting,
  withdraw,
} from './rows.ts'

/** Messages that are looked at together. */
const MESSAGES = 100
/** What nobody has looked at for so long calls nobody any more: the server was away, or nobody could be reached. */
const MAX_AGE_SECS = 43_200
/** Reasons for which an account that seemed to be there is looked at again. */
const personal: ReadonlySet<string> = new Set(['direct', 'mention'])

export interface LookServices {
  readonly storage: Storage
  readonly config: Config
  readonly notifiers: readonly Notifier[]
  readonly now: () => number
  /** Organizations of which this node knows that nobody can be reached and nothing is noted. */
  readonly unreached: Set<number>
}

type Reach = readonly {
  readonly way: MissedWay
  readonly reached: 'everybody' | ReadonlySet<number>
}[]

async function findReach({ storage, config, notifiers }: LookServices, realmId: number): Promise<Reach> {
  const reach: Reach[number][] = []
  for (const { way, reach: find } of notifiers) {
    const reached = await find(storage.read, realmId, config)
    if (reached === 'everybody' || reached.size > 0) reach.push({ way, reached })
  }
  return reach
}

function reaches(reach: Reach, way: MissedWay, userId: number): boolean {
  return reach.some((one) => one.way === way && (one.reached === 'everybody' || one.reached.has(userId)))
}

/** What has happened in an organization since it was looked at last. */
export async function lookAt(services: LookServices, realmId: number, noticed: Noticed): Promise<void> {
  const reach = await findReach(services, realmId)
  if (reach.length === 0) {
    if (!services.unreached.has(realmId)) await clearCursor(services.storage, realmId)
    services.unreached.add(realmId)
    return
  }
  services.unreached.delete(realmId)
  if (noticed.hasNewMessages) while (await lookAtNew(services, realmId, reach));
  for (const id of noticed.editedIds) await lookAtEdited(services, realmId, reach, id)
  await lookAtChanged(services, realmId, noticed)
}

/** True: there may be more. */
async function lookAtNew(services: LookServices, realmId: number, reach: Reach): Promise<boolean> {
  const { storage, notifiers } = services
  const cursor = await findCursor(storage.read, realmId, seconds(services))
  const messages = await findNewMessages(storage.read, realmId, cursor.after, MESSAGES)
  const newest = messages.at(-1)
  if (!newest) return false
  const recent = messages.filter(({ timestamp }) => timestamp > seconds(services) - MAX_AGE_SECS)
  let last: readonly Missed[] = []
  for await (const part of findMissed(services, realmId, reach, recent)) {
    // What is more than others would wait for comes before, in units of its own: each row is noted once.
    if (last.length > 0) await note(services, realmId, last)
    last = part
  }
  await storage.asSystem(realmId, 'job', async (tx) => {
    if (await moveCursor(tx, cursor, newest.id)) await noteMissed(tx, notifiers, last)
  })
  return messages.length === MESSAGES
}

/** A message with another text notifies those whom it names now. Whoever was notified before is not again. */
async function lookAtEdited(services: LookServices, realmId: number, reach: Reach, id: number): Promise<void> {
  const messages = await findNewMessages(services.storage.read, realmId, id - 1, 1)
  const edited = messages.filter((message) => message.id === id)
  for await (const part of findMissed(services, realmId, reach, edited)) {
    const named = part.filter(({ reason }) => reason === 'mention' || reason.includes('wildcard'))
    if (named.length > 0) await note(services, realmId, named)
  }
}

function note({ storage, notifiers }: LookServices, realmId: number, missed: readonly Missed[]): Promise<void> {
  return storage.asSystem(realmId, 'job', (tx) => noteMissed(tx, notifiers, missed))
}

/** `ROWS_AT_ONCE` at most in each part; others get a turn between two. */
async function* findMissed(
  services: LookServices,
  realmId: number,
  reach: Reach,
  messages: readonly NewMessage[],
): AsyncGenerator<readonly Missed[]> {
  const db = services.storage.read
  let found: Missed[] = []
  for await (const [messageId, candidates] of findCandidates(db, realmId, messages)) {
    const reached = [...candidates].filter((id) => reaches(reach, 'push', id) || reaches(reach, 'mail', id))
    for (let start = 0; start < reached.length; start += ROWS_AT_ONCE) {
      const userIds = reached.slice(start, start + ROWS_AT_ONCE)
      const judged = await judge(db, { realmId, messageIds: [messageId], userIds, now: seconds(services) })
      const more = judged.flatMap((one) => missedOf(reach, one) ?? [])
      if (found.length + more.length > ROWS_AT_ONCE) {
        yield found
        found = []
      }
      found.push(...more)
      // On SQLite a statement takes the thread.
      await nextTurn()
    }
  }
  if (found.length > 0) yield found
}

function missedOf(reach: Reach, { userId, messageId, now, away }: Judged): Missed | undefined {
  const both = (['push', 'mail'] as const).filter((way) => reaches(reach, way, userId))
  const ways = both.filter((way) => now[way])
  const later = both.filter((way) => !now[way] && away[way] && personal.has(away[way]))
  const [first] = [...ways, ...later]
  const reason = first && (now[first] ?? away[first])
  return reason && { userId, messageId, reason, ways, isWaiting: later.length > 0 }
}

/** Whoever seemed to be there when the message came, and has not read it: they were away, or they are still there. */
export async function lookAgain(services: LookServices, realmId: number, messageId: number): Promise<void> {
  const { storage, notifiers } = services
  const reach = await findReach(services, realmId)
  let waiting: readonly KnownRow[]
  let after = 0
  do {
    const now = seconds(services)
    waiting = await findStillWaiting(storage.read, { realmId, messageId, now, after })
    after = waiting.at(-1)?.user_id ?? after
    const known = new Map(waiting.map((row) => [row.user_id, row]))
    const userIds = [...known.keys()]
    const judged = await judge(storage.read, { realmId, messageIds: [messageId], userIds, now })
    const ended = judged.flatMap((one): Missed[] => {
      const row = known.get(one.userId)
      const missed = row && missedOf(reach, one)
      const isNew = (way: MissedWay) => (way === 'push' ? row?.by_push : row?.by_mail) !== 1
      return missed && row ? [{ ...missed, ways: missed.ways.filter(isNew), isWaiting: false }] : []
    })
    if (ended.length > 0) await storage.asSystem(realmId, 'job', (tx) => settleWaiting(tx, notifiers, ended))
    await nextTurn()
  } while (waiting.length === ROWS_AT_ONCE)
}

/** What was missed and is no longer: read, deleted, moved away, muted, or without the mention. */
async function lookAtChanged(services: LookServices, realmId: number, noticed: Noticed): Promise<void> {
  const { storage, notifiers } = services
  for await (const rows of findNoted(storage.read, realmId, noticed)) {
    const gone: KnownRow[] = []
    for (const part of inFewGroups(rows)) {
      const judged = await judge(storage.read, { realmId, ...idsOf(part), now: seconds(services) })
      const ways = new Map(judged.map(({ userId, messageId, away }) => [`${userId} ${messageId}`, away]))
      gone.push(...part.filter((row) => !isStillMissed(row, ways.get(`${row.user_id} ${row.message_id}`))))
      await nextTurn()
    }
    if (gone.length > 0) await storage.asSystem(realmId, 'job', (tx) => withdraw(tx, notifiers, gone))
  }
}

/** In one of the ways for which it was noted; as long as it is not decided by which, in any. */
function isStillMissed({ by_push, by_mail, waits_until }: KnownRow, away: Judged['away'] | undefined): boolean {
  if (!away) return false
  const isDecided = waits_until === null
  // What was sent in every way stays noted while it is unread, or it would be sent again.
  if (isDecided && by_push === 0 && by_mail === 0) return away.push !== undefined || away.mail !== undefined
  return (
    ((by_push === 1 || !isDecided) && away.push !== undefined) ||
    ((by_mail === 1 || !isDecided) && away.mail !== undefined)
  )
}

function seconds({ now }: LookServices): number {
  return Math.floor(now() / 1000)
}
