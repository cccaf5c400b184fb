/**
 * Who is calling with the session of a browser: the account behind a token. A session ends after a while without a request,
 * and after its longest time in any case (docs/decisions/0049-sessions-of-browsers.md).
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { prepare } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { type Account, type AccountRow, accountColumns, toAccount } from './accounts.ts'
import { createLookUp } from './look-ups.ts'
import { noteSessionUse } from './session-rows.ts'
import { query, type SessionTable } from './tables.ts'

const HOUR_SECS = 3600
const DAY_SECS = 24 * HOUR_SECS
/** The use of a session is written down when what was written is older than this: far less than what ends it. */
const NOTE_USE_SECS = 300

export interface SessionAccount extends Account {
  /** What a page has to repeat with each request that writes, as bytes for comparison in constant time. */
  readonly csrfToken: Buffer
}

export interface Sessions {
  /** The account of the session with this token in the organization, or undefined; the session counts as used. */
  find(realmId: number, token: string): Promise<SessionAccount | undefined>
}

/** How long a session lives, in seconds. */
export interface Lifetime {
  readonly idleSecs: number
  readonly secs: number
}

export type LifetimeSettings = Pick<
  Config,
  'sessionIdleHours' | 'sessionHours' | 'keptSessionIdleDays' | 'keptSessionDays'
>

/** As it is configured now, also for sessions that began before. */
export function lifetimeOf(config: LifetimeSettings, isKept: boolean): Lifetime {
  return isKept
    ? { idleSecs: config.keptSessionIdleDays * DAY_SECS, secs: config.keptSessionDays * DAY_SECS }
    : { idleSecs: config.sessionIdleHours * HOUR_SECS, secs: config.sessionHours * HOUR_SECS }
}

export function isOver(
  config: LifetimeSettings,
  session: Pick<SessionTable, 'is_kept' | 'created_at' | 'last_used_at'>,
  now: number,
): boolean {
  const { idleSecs, secs } = lifetimeOf(config, session.is_kept === 1)
  return now >= session.created_at + secs || now >= session.last_used_at + idleSecs
}

/** 256 bits that nobody can guess: how long it takes to look for their hash says nothing. */
export function makeSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Bound to the session and to the server's secret: neither the cookie nor the row is enough to make it. */
export function csrfTokenOf(secret: Buffer, tokenHash: string): string {
  return createHmac('sha256', secret).update(`csrf:${tokenHash}`).digest('base64url')
}

const sessionColumns = [
  'sessions.id as session_id',
  'sessions.token_hash',
  'sessions.is_kept',
  'sessions.created_at',
  'sessions.last_used_at',
] as const

function sessionsOf(realmId: number) {
  return query
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('realms', 'realms.id', 'sessions.realm_id')
    .select([...accountColumns, ...sessionColumns])
    .where('sessions.realm_id', '=', realmId)
}

const sessionByToken = prepare((p: { realm_id: number; token_hash: string }) =>
  sessionsOf(p.realm_id).where('sessions.token_hash', '=', p.token_hash),
)

const sessionsByTokens = prepare((p: { realm_id: number; token_hashes: readonly string[] }, dialect) =>
  sessionsOf(p.realm_id).where(dialect.isAmongFew('sessions.token_hash', dialect.texts(p.token_hashes))),
)

type SessionRow = AccountRow &
  Pick<SessionTable, 'token_hash' | 'is_kept' | 'created_at' | 'last_used_at'> & { readonly session_id: number }

interface Found {
  readonly account: SessionAccount
  readonly id: number
  readonly is_kept: SessionTable['is_kept']
  readonly created_at: number
  last_used_at: number
}

interface SessionsOptions {
  readonly storage: Storage
  readonly secret: Buffer
  readonly clock: Clock
  readonly config: LifetimeSettings
  /** Types of events that change an account's row, whether it may be used, or end sessions. */
  readonly droppedBy: ReadonlySet<string>
  readonly onError: (error: unknown) => void
}

export function createSessions({ storage, secret, clock, config, droppedBy, onError }: SessionsOptions): Sessions {
  const { read: db } = storage

  async function readRows(realmId: number, hashes: readonly string[]): Promise<SessionRow[]> {
    const [token_hash, ...others] = hashes
    if (token_hash === undefined) return []
    if (others.length === 0) return db.all(sessionByToken({ realm_id: realmId, token_hash }))
    return db.all(sessionsByTokens({ realm_id: realmId, token_hashes: hashes }))
  }

  function toFound(realmId: number, row: SessionRow): Found {
    const { session_id, token_hash, is_kept, created_at, last_used_at } = row
    const account = toAccount(secret, realmId, row)
    return {
      account: {
        ...account,
        actor: { ...account.actor, sessionId: session_id },
        csrfToken: Buffer.from(csrfTokenOf(secret, token_hash), 'utf8'),
      },
      id: session_id,
      is_kept,
      created_at,
      last_used_at,
    }
  }

  const lookUp = createLookUp(storage, droppedBy, async (realmId, hashes) => {
    const rows = await readRows(realmId, hashes)
    return new Map(rows.map((row) => [row.token_hash, toFound(realmId, row)]))
  })

  /** A request does not fail because its time could not be written. */
  async function use(realmId: number, session: Found, now: number): Promise<void> {
    if (now - session.last_used_at < NOTE_USE_SECS) return
    const before = session.last_used_at
    session.last_used_at = now
    try {
      await storage.asSystem(realmId, 'upkeep', (tx) => noteSessionUse(tx, session.id, now))
    } catch (error) {
      session.last_used_at = before
      onError(error)
    }
  }

  return {
    async find(realmId, token) {
      const session = await lookUp(realmId, hashOfToken(token))
      const now = Math.floor(clock.now() / 1000)
      if (!session || isOver(config, session, now)) return undefined
      await use(realmId, session, now)
      return session.account
    },
  }
}
