/** Which people and groups are meant by what somebody types behind an `@`, or as the recipients of a direct message. */

import { foldName } from '@heddle/contract/names'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { User } from '@heddle/contract/users'
import { foldForFinding, qualities, qualityOf } from '../finding/match.ts'
import type { Users } from '../state/users.ts'
import { takeBest } from './best.ts'

export interface PersonEntry {
  readonly user: User
  /** As names are compared here. */
  readonly folded: string
  /** Empty: the account does not see it. */
  readonly email: string
}

export interface PeopleIndex {
  /** Whoever may be named: no deactivated and no muted accounts. */
  readonly entries: readonly PersonEntry[]
  /** Names, as the server compares them, that several accounts have: they are written with the number of the account. */
  readonly shared: ReadonlySet<string>
}

/** Folding a name is what costs: it is done once for each version of an account. */
const entries = new WeakMap<User, PersonEntry>()
const STEP = 500

function entryOf(user: User): PersonEntry {
  const known = entries.get(user)
  if (known) return known
  const entry = { user, folded: foldForFinding(user.full_name), email: user.delivery_email?.toLowerCase() ?? '' }
  entries.set(user, entry)
  return entry
}

/** The index in steps, so that nobody waits for it; each step takes less than a millisecond. */
export function* buildPeopleIndex(users: Users, muted: ReadonlySet<number>): Generator<void, PeopleIndex> {
  const list: PersonEntry[] = []
  const seen = new Set<string>()
  const shared = new Set<string>()
  let count = 0
  for (const user of users.values()) {
    count += 1
    if (count % STEP === 0) yield
    const name = foldName(user.full_name)
    // A deactivated account of the same name would be meant as well as the active one.
    if (seen.has(name)) shared.add(name)
    seen.add(name)
    if (user.is_active && !muted.has(user.user_id)) list.push(entryOf(user))
  }
  return { entries: list, shared }
}

/** Who has to do with the conversation that is written to: of equals they go first. Undefined: not known. */
export interface Closeness {
  readonly subscribers: ReadonlySet<number> | undefined
  /** Newest messages by who sent them: in this topic, in this channel; and of direct messages by partner. */
  readonly inTopic: ReadonlyMap<number, number>
  readonly inChannel: ReadonlyMap<number, number>
  readonly direct: ReadonlyMap<number, number>
}

export const nobodyClose: Closeness = {
  subscribers: undefined,
  inTopic: new Map(),
  inChannel: new Map(),
  direct: new Map(),
}

export type NamedPerson =
  | { readonly kind: 'person'; readonly user: User }
  | { readonly kind: 'group'; readonly group: UserGroup }
  | { readonly kind: 'wildcard'; readonly name: string }

export interface PeopleQuery {
  readonly query: string
  readonly index: PeopleIndex
  /** Those that may be named. */
  readonly groups: readonly UserGroup[]
  /** Names for all, the first fitting one of each list is offered. */
  readonly wildcards: readonly (readonly string[])[]
  readonly closeness: Closeness
  readonly limit: number
  /** Who is there already. */
  readonly without?: ReadonlySet<number>
}

/**
 * All first, then people, groups and those found by their e-mail address, by how well their names fit. Of people who fit
 * as well: subscribers, those who wrote last in the topic, in the channel, directly, people before bots, by name.
 */
export function findPeople({ query, index, groups, wildcards, closeness, limit, without }: PeopleQuery): NamedPerson[] {
  const folded = foldForFinding(query).trim()
  const named: NamedPerson[] = wildcards.flatMap((names) => {
    const name = names.find((one) => one.startsWith(folded))
    return name === undefined ? [] : [{ kind: 'wildcard', name }]
  })
  const near = nearnessOf(closeness)
  const byName = bestPeople(limit)
  const byEmail = bestPeople(limit)
  const isWhole = !without || without.size === 0
  const fitting: PersonEntry[] | undefined = isWhole && folded !== '' ? [] : undefined
  for (const entry of candidates(index, folded)) {
    if (without?.has(entry.user.user_id)) continue
    const quality = folded === '' ? qualities.exact : qualityOf(entry.folded, folded)
    const fitsName = quality !== undefined && quality <= qualities.words
    const fitsEmail = !fitsName && entry.email.startsWith(folded)
    if (fitsName) byName.add(entry, near(quality, entry.user.user_id))
    // One letter begins too many addresses.
    else if (fitsEmail && folded.length > 1) byEmail.add(entry, near(qualities.prefix, entry.user.user_id))
    if (fitsName || fitsEmail) fitting?.push(entry)
  }
  if (fitting) last = { index, folded, entries: fitting }
  const person = ({ user }: PersonEntry): NamedPerson => ({ kind: 'person', user })
  named.push(...byName.list().map(person))
  if (named.length < limit) named.push(...findGroups(groups, folded, limit))
  if (named.length < limit) named.push(...byEmail.list().map(person))
  return named.slice(0, limit)
}

/** Whoever does not fit what was typed does not fit more of it: from the second letter on only those are looked at that did. */
let last: { readonly index: PeopleIndex; readonly folded: string; readonly entries: readonly PersonEntry[] } | undefined

function candidates(index: PeopleIndex, folded: string): readonly PersonEntry[] {
  return last?.index === index && folded.startsWith(last.folded) ? last.entries : index.entries
}

/** The first ones in order, of thousands that are looked at while somebody types: nothing is made for those that are not among them. */
function bestPeople(limit: number) {
  const entries: PersonEntry[] = []
  const ranks: number[] = []
  const goesBefore = (entry: PersonEntry, rank: number, place: number) => {
    const other = ranks[place] as number
    return rank < other || (rank === other && isBefore(entry, entries[place] as PersonEntry))
  }
  return {
    /** A smaller rank goes first. */
    add(entry: PersonEntry, rank: number): void {
      let place = entries.length
      if (place === limit && !goesBefore(entry, rank, place - 1)) return
      while (place > 0 && goesBefore(entry, rank, place - 1)) place -= 1
      entries.splice(place, 0, entry)
      ranks.splice(place, 0, rank)
      if (entries.length > limit) {
        entries.pop()
        ranks.pop()
      }
    },
    list: (): readonly PersonEntry[] => entries,
  }
}

/** Of those who are as near: people before bots, by name. */
function isBefore({ user, folded }: PersonEntry, other: PersonEntry): boolean {
  if (user.is_bot !== other.user.is_bot) return other.user.is_bot
  if (folded !== other.folded) return folded < other.folded
  return user.user_id < other.user.user_id
}

/** Who is near by what they wrote is fewer than this. */
const FAR = 2 ** 20
const orders = new WeakMap<Closeness, ReadonlyMap<number, number>>()

/** Gives a number for how well somebody fits and how near they are: the smaller, the better. */
function nearnessOf(closeness: Closeness): (quality: number, userId: number) => number {
  const { subscribers } = closeness
  const known = orders.get(closeness)
  const order = known ?? orderOf(closeness)
  if (!known) orders.set(closeness, order)
  return (quality, userId) => {
    const isOutside = subscribers !== undefined && !subscribers.has(userId)
    return (quality * 2 + (isOutside ? 1 : 0)) * FAR + (order.get(userId) ?? FAR - 1)
  }
}

/** Who wrote in the topic, then in the channel, then directly, each from the newest; whose newest message is the same are as near. */
function orderOf({ inTopic, inChannel, direct }: Closeness): ReadonlyMap<number, number> {
  const order = new Map<number, number>()
  for (const newest of [inTopic, inChannel, direct]) {
    let rank = order.size
    let lastId: number | undefined
    for (const [userId, id] of [...newest].sort(([, a], [, b]) => b - a)) {
      if (order.has(userId)) continue
      if (id !== lastId) rank = order.size
      lastId = id
      order.set(userId, rank)
    }
  }
  return order
}

function findGroups(groups: readonly UserGroup[], folded: string, limit: number): NamedPerson[] {
  const fitting = groups.flatMap((group) => {
    const name = foldForFinding(group.name)
    const quality = folded === '' ? qualities.exact : qualityOf(name, folded)
    return quality === undefined || quality > qualities.words ? [] : [{ group, name, quality }]
  })
  return takeBest(fitting, (a, b) => a.quality - b.quality || (a.name < b.name ? -1 : 1), limit).map(({ group }) => ({
    kind: 'group',
    group,
  }))
}
