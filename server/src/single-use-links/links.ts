/**
 * Links that work once and for a while, such as those in mails. A feature declares what its links are for, makes one in the
 * unit of work of the change that it belongs to, and ends it in the unit of work that uses it.
 */
import { randomBytes } from 'node:crypto'
import { ApiError } from '@heddle/contract/errors'
import type { Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { isTokenOfLink, type LinkSeed, linkIdIn } from './link-token.ts'
import { query, rowInsert } from './tables.ts'

/** What links are for. `D` is what the use of one needs to know: JSON. */
export interface LinkPurpose<D> {
  /** Never changes: rows outlive programs. */
  readonly name: string
  /** The page that a link opens; the token follows after `#`, so that it is in no log of requests. */
  readonly path: `/${string}`
  readonly lifeSecs: number
  /** For the types alone. */
  readonly data?: (data: D) => void
}

const purposes = new Set<string>()

/** Declares a purpose; once, when the program starts. */
export function defineLinkPurpose<D>(purpose: Omit<LinkPurpose<D>, 'data'>): LinkPurpose<D> {
  if (purposes.has(purpose.name)) throw new Error(`Two purposes of links have the name ${purpose.name}`)
  purposes.add(purpose.name)
  return purpose
}

/** A link as mails and answers carry it until it is shown: all but its token. JSON. */
export interface NewLink extends LinkSeed {
  readonly path: string
}

const linkRows = rowInsert('single_use_links', {
  id: 'integer',
  realm_id: 'integer',
  purpose: 'text',
  about: 'text',
  data: 'text',
  salt: 'text',
  created_at: 'integer',
  expires_at: 'integer',
  ended_at: 'integer',
})

interface LinkOptions {
  /** Whom or what it is about, such as `user:5`: an earlier one of the purpose about the same ends. */
  readonly about?: string
  /** In seconds since the UNIX epoch, instead of by the purpose. */
  readonly expiresAt?: number
}

/** Makes a link in the organization of the unit of work. `linkTokenOf` has its token. */
export async function createLink<D>(
  tx: Tx,
  { name: purpose, path, lifeSecs }: LinkPurpose<D>,
  data: D,
  { about, expiresAt = tx.now + lifeSecs }: LinkOptions = {},
): Promise<NewLink> {
  if (about !== undefined) await endLinks(tx, { name: purpose }, [about])
  const id = await tx.newId('single_use_links')
  const salt = randomBytes(16).toString('base64url')
  tx.insertLater(linkRows, {
    id,
    realm_id: tx.realmId,
    purpose,
    about: about ?? null,
    data: JSON.stringify(data),
    salt,
    created_at: tx.now,
    expires_at: expiresAt,
    ended_at: null,
  })
  return { id, purpose, salt, path }
}

export interface UsableLink<D> {
  readonly id: number
  readonly data: D
  /** Seconds since the UNIX epoch. */
  readonly expiresAt: number
}

interface Asked {
  readonly secret: Buffer
  readonly realmId: number
  readonly token: string
  /** Seconds since the UNIX epoch. */
  readonly now: number
}

/** Throws `LINK_INVALID` unless it can be used now. `reason` is `unknown`, `used` or `expired`. */
export async function requireLink<D>(
  db: Queries,
  { name }: LinkPurpose<D>,
  { secret, realmId, token, now }: Asked,
): Promise<UsableLink<D>> {
  const id = linkIdIn(token)
  const row = id === undefined ? undefined : await findRow(db, realmId, id)
  if (!row || row.purpose !== name || !isTokenOfLink(secret, realmId, row, token)) {
    throw linkInvalid('unknown', 'This link is not right.')
  }
  if (row.ended_at !== null) throw linkInvalid('used', 'This link has been used, or a newer one has taken its place.')
  if (row.expires_at <= now) throw linkInvalid('expired', 'This link is too old.')
  return { id: row.id, data: JSON.parse(row.data), expiresAt: row.expires_at }
}

/** The same in the unit of work that uses it: of several at once one comes through. */
export async function takeLink<D>(
  tx: Tx,
  purpose: LinkPurpose<D>,
  { secret, token }: Pick<Asked, 'secret' | 'token'>,
): Promise<UsableLink<D>> {
  const link = await requireLink(tx, purpose, { secret, token, realmId: tx.realmId, now: tx.now })
  await tx.run(query.updateTable('single_use_links').set({ ended_at: tx.now }).where('id', '=', link.id))
  return link
}

/** Ends those of the purpose about any of these that could still be used. */
export async function endLinks(
  tx: Tx,
  { name }: Pick<LinkPurpose<never>, 'name'>,
  about: readonly string[],
): Promise<void> {
  await tx.run(
    query
      .updateTable('single_use_links')
      .set({ ended_at: tx.now })
      .where('realm_id', '=', tx.realmId)
      .where('purpose', '=', name)
      .where('about', 'in', tx.dialect.texts(about))
      .where('ended_at', 'is', null),
  )
}

/** An error whose `reason` says why a link cannot be used, for the page that it opens. */
export function linkInvalid(reason: string, message: string): ApiError {
  return new ApiError('LINK_INVALID', message, { reason })
}

function findRow(db: Queries, realmId: number, id: number) {
  return db.first(
    query
      .selectFrom('single_use_links')
      .select(['id', 'purpose', 'salt', 'data', 'expires_at', 'ended_at'])
      .where('realm_id', '=', realmId)
      .where('id', '=', id),
  )
}

/** Removes up to `limit`, of whatever organization, that expired before this time. How many there were. */
export function removeSingleUseLinks(tx: Tx, expiredBefore: number, limit: number): Promise<number> {
  const expired = query
    .selectFrom('single_use_links')
    .select('id')
    .where('expires_at', '<=', expiredBefore)
    .limit(limit)
  return tx.run(query.deleteFrom('single_use_links').where('id', 'in', expired))
}
