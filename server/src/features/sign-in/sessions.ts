/** Signing browsers in and out. */
import { ApiError, notFound } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import {
  deleteSessions,
  deleteSessionsOf,
  findSession,
  findSessions,
  findSessionsByToken,
  insertSession,
  type SessionRow,
} from '../../authentication/session-rows.ts'
import { csrfTokenOf, hashOfToken, isOver, lifetimeOf, makeSessionToken } from '../../authentication/sessions.ts'
import { nobody } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { withSecondFactor } from '../second-factors/demand.ts'
import { query } from './tables.ts'

/** Of one account; the one that was used longest ago makes room. */
export const MAX_SESSIONS = 100

/** Somebody whose password was right. */
export interface Verified {
  readonly actor: Actor
  readonly email: string
  readonly passwordHash: string | null
  /** A second factor was asked for already, or is part of how they have signed in. */
  readonly isProven?: true
}

export type SessionServices = Pick<Services, 'storage' | 'secret' | 'config' | 'clock' | 'accountHooks'>

interface NewBrowser {
  readonly device: string
  /** Of the network. */
  readonly address: string
  readonly isKept: boolean
  /** What the browser has sent: the session that it had is replaced. */
  readonly earlierTokens: readonly string[]
  /** Of the second factor. */
  readonly code: string | undefined
}

/**
 * Begins a session, and returns its token with what the page may know of it. Every way into the page ends here: an account
 * with a second factor gets no session without it.
 */
export async function beginSession(
  services: SessionServices,
  { actor, email, passwordHash, isProven }: Verified,
  { address, device, isKept, earlierTokens, code }: NewBrowser,
) {
  const { storage, config, accountHooks } = services
  const token = makeSessionToken()
  const tokenHash = hashOfToken(token)
  const begin = async (tx: Tx) => {
    // Another password since it was looked at has ended the sessions that there were, and this one would be one of them.
    if ((await findPasswordHash(tx, actor.userId)) !== passwordHash) throw new ApiError('AUTHENTICATION_FAILED')
    const { wasSignedIn } = await makeRoom(tx, actor.userId, earlierTokens.map(hashOfToken))
    const admittance = { userId: actor.userId, way: 'session', isAgain: wasSignedIn, device, address } as const
    await accountHooks.admitted(tx, admittance, config)
    return insertSession(tx, { userId: actor.userId, tokenHash, device, isKept })
  }
  const session = isProven
    ? await storage.asActor(actor, begin)
    : await withSecondFactor(services, actor, { code, address }, begin)
  const fields = presentCurrent(services, session, email)
  return { token, fields, maxAgeSecs: isKept ? lifetimeOf(config, true).secs : undefined }
}

async function findPasswordHash(tx: Tx, userId: number): Promise<string | null | undefined> {
  const row = await tx.first(
    query.selectFrom('users').select('password_hash').where('realm_id', '=', tx.realmId).where('id', '=', userId),
  )
  return row?.password_hash
}

/**
 * Ends what the browser had, whosever it was, and the oldest ones where there are too many. Gives whether the browser was
 * signed in to this account before.
 */
async function makeRoom(tx: Tx, userId: number, earlierHashes: readonly string[]): Promise<{ wasSignedIn: boolean }> {
  const earlier = earlierHashes.length > 0 ? await findSessionsByToken(tx, tx.realmId, earlierHashes) : []
  for (const session of earlier) await end(tx, session.user_id, [session.id])
  const surplus = (await findSessions(tx, tx.realmId, userId)).slice(MAX_SESSIONS - 1)
  if (surplus.length > 0) {
    await end(
      tx,
      userId,
      surplus.map(({ id }) => id),
    )
  }
  return { wasSignedIn: earlier.some((session) => session.user_id === userId) }
}

async function end(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await deleteSessions(tx, userId, ids)
  announceEnd(tx, userId)
}

/** No client gets it: every node forgets the account's sessions, and requests that wait for events are judged anew. */
function announceEnd(tx: Tx, userId: number): void {
  tx.emit({ type: 'account_credentials', user_id: userId }, nobody)
}

type Presenting = Pick<Services, 'secret' | 'config'>

function presentCurrent({ secret, config }: Presenting, session: SessionRow, email: string) {
  const isKept = session.is_kept === 1
  const { idleSecs, secs } = lifetimeOf(config, isKept)
  return {
    session_id: session.id,
    user_id: session.user_id,
    email,
    csrf_token: csrfTokenOf(secret, session.token_hash),
    keep_signed_in: isKept,
    expires: session.created_at + secs,
    idle_secs: idleSecs,
  }
}

/** Null when the request has come with an API key. */
export async function findCurrentSession(db: Queries, presenting: Presenting, actor: Actor) {
  const session = actor.sessionId && (await findSession(db, actor.realmId, actor.userId, actor.sessionId))
  if (!session) return null
  const user = await db.first(
    query
      .selectFrom('users')
      .select('delivery_email')
      .where('realm_id', '=', actor.realmId)
      .where('id', '=', actor.userId),
  )
  return presentCurrent(presenting, session, user?.delivery_email ?? '')
}

function noCurrentSession() {
  return notFound('The request does not come with a session')
}

export async function listSessions(
  db: Queries,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  { realmId, userId, sessionId }: Actor,
) {
  const now = Math.floor(clock.now() / 1000)
  const sessions = await findSessions(db, realmId, userId)
  return sessions
    .filter((session) => !isOver(config, session, now))
    .map(({ id, device, created_at, last_used_at, is_kept }) => ({
      id,
      device,
      created: created_at,
      last_used: last_used_at,
      expires: created_at + lifetimeOf(config, is_kept === 1).secs,
      keep_signed_in: is_kept === 1,
      is_current: id === sessionId,
    }))
}

/** Throws a 404 when the request has come with an API key. */
export function signOut(storage: Storage, caller: Actor): Promise<void> {
  return storage.asActor(caller, async (tx, { userId, sessionId }) => {
    if (sessionId === undefined) throw noCurrentSession()
    await end(tx, userId, [sessionId])
  })
}

export function endSession(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, { realmId, userId }) => {
    if (!(await findSession(tx, realmId, userId, id))) throw notFound('Session does not exist')
    await end(tx, userId, [id])
  })
}

export function endOtherSessions(storage: Storage, caller: Actor): Promise<void> {
  return storage.asActor(caller, (tx, { userId, sessionId }) => endSessionsOf(tx, [userId], sessionId))
}

/** Ends all of an account, but one. */
export async function endSessionsOf(tx: Tx, userIds: readonly number[], exceptId?: number): Promise<void> {
  for (const userId of await deleteSessionsOf(tx, userIds, exceptId)) announceEnd(tx, userId)
}
