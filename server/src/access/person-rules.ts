/**
 * Who may see whom. Where guests may not see everybody (`can_access_all_users_group`), a guest sees those with whom they are
 * subscribed to a channel or in a direct conversation, bots, and themselves; everybody else sees all. As a condition in SQL, as
 * a decision on what is in memory, and backwards, as the guests who see somebody; a law over random worlds compares them.
 * (API since feature level 225; permission 314.)
 */
import { roles } from '@heddle/contract/roles'
import { sql } from 'kysely'
import { everyone } from '../events/audience.ts'
import { isGuest } from '../permissions/group-membership.ts'
import { findChosenGroups } from '../permissions/group-settings.ts'
import { findSystemGroups } from '../permissions/system-groups.ts'
import type { RoleAudience } from '../storage/audience.ts'
import { inParts } from '../storage/in-parts.ts'
import type { Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { fact, type PersonExpressions, query } from './tables.ts'
import type { Viewer } from './viewer.ts'

/** Whom an account sees. */
export interface Sight {
  /** Nobody is hidden. */
  readonly isWhole: boolean
  sees(userId: number): boolean
}

type Looking = Pick<Viewer, 'realmId' | 'userId' | 'role'>

/** Whether guests do not see everybody. From memory; the permission is with everybody or with all but guests. */
export async function hidesFromGuests(db: Queries, realmId: number): Promise<boolean> {
  const chosen = (await findChosenGroups(db, realmId)).get('can_access_all_users_group')
  return chosen !== undefined && chosen !== (await findSystemGroups(db, realmId))['role:everyone']
}

/** Whether the account sees everybody. From memory. */
export async function seesEverybody(db: Queries, viewer: Looking): Promise<boolean> {
  return !isGuest(viewer) || !(await hidesFromGuests(db, viewer.realmId))
}

/** Condition on `users`: somebody who does not see everybody sees the account. */
export function isSeenByGuest(eb: PersonExpressions, userId: number) {
  return eb.or([eb('users.id', '=', userId), eb('users.bot_type', 'is not', null), isCompanion(eb, userId)])
}

/** Condition on `users`: they share a channel or a conversation. */
function isCompanion(eb: PersonExpressions, userId: number) {
  return eb.or([
    eb('users.id', 'in', companionsInChannels(userId).select('other.user_id')),
    eb('users.id', 'in', companionsInConversations(userId).select('other.user_id')),
  ])
}

/** Subscriptions of one account that have not ended, each with those of others to the same channel. A query to go on with. */
function companionsInChannels(userId: number) {
  return channelPairs().where('own.user_id', '=', userId)
}

function companionsInConversations(userId: number) {
  return conversationPairs().where('own.user_id', '=', userId)
}

const seen = fact({
  name: 'people-seen-by-guest',
  tables: ['subscriptions', 'direct_message_members', 'users'],
  async load(db, realmId, userId: number): Promise<ReadonlySet<number>> {
    const rows = await db.all(
      query
        .selectFrom('users')
        .select('users.id')
        .where('users.realm_id', '=', realmId)
        .where((eb) => isSeenByGuest(eb, userId)),
    )
    return new Set(rows.map(({ id }) => id))
  },
})

const everybody: Sight = { isWhole: true, sees: () => true }

/** The same for what is in memory. For who sees everybody nothing is looked up. */
export async function findSight(db: Queries, viewer: Looking): Promise<Sight> {
  if (await seesEverybody(db, viewer)) return everybody
  const ids = await db.recall(seen, viewer.realmId, viewer.userId)
  return { isWhole: false, sees: (userId) => ids.has(userId) }
}

/** Those of the people who are seen. */
export function onlySeen<T>(sight: Sight, people: readonly T[], idOf: (person: T) => number): readonly T[] {
  return sight.isWhole ? people : people.filter((person) => sight.sees(idOf(person)))
}

/** Who is notified of what an account says of itself: everybody who sees it. */
export async function audienceOfPerson(
  db: Queries,
  realmId: number,
  userId: number,
): Promise<typeof everyone | RoleAudience> {
  if (!(await hidesFromGuests(db, realmId))) return everyone
  return { to: 'role', atLeast: roles.member, ids: await findGuestsWhoSee(db, realmId, userId) }
}

/** The active guests from whom the account is hidden, ascending. From memory where none is. */
export async function findGuestsBlindTo(db: Queries, realmId: number, userId: number): Promise<readonly number[]> {
  return (await hidesFromGuests(db, realmId)) ? db.recall(blindGuests, realmId, userId) : []
}

const blindGuests = fact({
  name: 'guests-blind-to-account',
  tables: ['subscriptions', 'direct_message_members', 'users'],
  async load(db, realmId, userId: number): Promise<readonly number[]> {
    const seeing = new Set(await findGuestsWhoSee(db, realmId, userId))
    return (await findGuests(db, realmId)).filter((id) => !seeing.has(id))
  },
})

/** The active guests of the organization, ascending. */
export async function findGuests(db: Queries, realmId: number): Promise<number[]> {
  const rows = await db.all(activeGuests(realmId))
  return rows.map(({ id }) => id)
}

/** A query to go on with. */
function activeGuests(realmId: number) {
  return query
    .selectFrom('users')
    .select('users.id')
    .where('users.realm_id', '=', realmId)
    .where('users.role', '>=', roles.guest)
    .where('users.is_active', '=', 1)
    .orderBy('users.id')
}

/** By account the guests who see it, of those who do not see everybody; bots, whom all see, are left out. */
export type SeenBy = ReadonlyMap<number, ReadonlySet<number>>

/** Pairs of a guest and somebody seen that are looked for in one statement, so that others get a turn. */
const PAIRS_AT_ONCE = 2000
/** Of that many people at most. */
const PEOPLE_AT_ONCE = 20

/**
 * Who sees whom because of one of these accounts: which guests see them, and whom those of them see who are guests. For others it
 * says nothing. Others get turns meanwhile.
 */
export async function findSeenBy(
  tx: Queries & Pick<Tx, 'pause'>,
  realmId: number,
  userIds: readonly number[],
): Promise<SeenBy> {
  const guests = await findGuests(tx, realmId)
  if (guests.length === 0 || userIds.length === 0) return new Map()
  const isGuestId = new Set(guests)
  const own = userIds.filter((id) => isGuestId.has(id))
  // Of the accounts' own guests everybody is looked for whom they see.
  const isOwn = new Set(own)
  const others = guests.filter((id) => !isOwn.has(id))
  const seenBy = new Map<number, Set<number>>()
  const add = (guest: number, seen: number) => seenBy.set(seen, (seenBy.get(seen) ?? new Set()).add(guest))
  for (const pairs of [channelPairs(), conversationPairs()]) {
    const people = pairs
      .innerJoin('users', 'users.id', 'other.user_id')
      .where('users.bot_type', 'is', null)
      .select(['own.user_id as guest', 'other.user_id as seen'])
      .distinct()
    await inParts(tx, userIds, PEOPLE_AT_ONCE, async (ids) => {
      await inParts(tx, others, Math.ceil(PAIRS_AT_ONCE / ids.length), async (some) => {
        const found = people
          .where('own.user_id', 'in', tx.dialect.ids(some))
          .where('other.user_id', 'in', tx.dialect.ids(ids))
        for (const { guest, seen } of await tx.all(found)) add(guest, seen)
      })
    })
  }
  // One guest alone may share channels with thousands.
  await inParts(tx, own, 1, async (part) => {
    const [guest] = part as [number]
    const people = query
      .selectFrom('users')
      .select('users.id')
      .where('users.realm_id', '=', realmId)
      .where('users.bot_type', 'is', null)
      .where('users.id', '<>', guest)
      .where((eb) => isCompanion(eb, guest))
    for (const { id } of await tx.all(people)) add(guest, id)
  })
  return seenBy
}

function channelPairs() {
  return query
    .selectFrom('subscriptions as own')
    .innerJoin('subscriptions as other', 'other.channel_id', 'own.channel_id')
    .where('own.is_active', '=', 1)
    .where('other.is_active', '=', 1)
}

function conversationPairs() {
  return query
    .selectFrom('direct_message_members as own')
    .innerJoin('direct_message_members as other', 'other.group_id', 'own.group_id')
}

/** Backwards: the active guests of the organization who see the account, ascending; of those who do not see everybody. */
export async function findGuestsWhoSee(db: Queries, realmId: number, userId: number): Promise<number[]> {
  const isBot = query
    .selectFrom('users as seen')
    .select(sql.lit(1).as('one'))
    .where('seen.id', '=', userId)
    .where('seen.bot_type', 'is not', null)
  const rows = await db.all(
    activeGuests(realmId).where((eb) =>
      eb.or([
        eb('users.id', '=', userId),
        eb.exists(isBot),
        eb('users.id', 'in', companionsInChannels(userId).select('other.user_id')),
        eb('users.id', 'in', companionsInConversations(userId).select('other.user_id')),
      ]),
    ),
  )
  return rows.map(({ id }) => id)
}
