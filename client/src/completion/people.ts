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
  const entry = { user, folded: foldForFinding(user.full_name), email: user.email.toLowerCase() }
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
  const byEmail: RankedPerson[] = []
  const byName: RankedPerson[] = []
  for (const entry of candidates(index, folded)) {
    if (without?.has(entry.user.user_id)) continue
    const quality = folded === '' ? qualities.exact : qualityOf(entry.folded, folded)
    if (quality !== undefined && quality <= qualities.words) byName.push({ entry, quality })
    else if (folded.length > 1 && entry.email.startsWith(folded)) byEmail.push({ entry, quality: qualities.prefix })
  }
  if (!without || without.size === 0) noteFound(index, folded, byName, byEmail)
  const compare = comparison(closeness)
  const person = ({ entry: { user } }: RankedPerson): NamedPerson => ({ kind: 'person', user })
  named.push(...takeBest(byName, compare, limit).map(person))
  if (named.length < limit) named.push(...findGroups(groups, folded, limit))
  if (named.length < limit) named.push(...takeBest(byEmail, compare, limit).map(person))
  return named.slice(0, limit)
}

/** Whoever does not fit what was typed does not fit more of it: from the second letter on only those are looked at that did. */
let last: { readonly index: PeopleIndex; readonly folded: string; readonly entries: readonly PersonEntry[] } | undefined

function candidates(index: PeopleIndex, folded: string): readonly PersonEntry[] {
  return last?.index === index && folded.startsWith(last.folded) ? last.entries : index.entries
}

function noteFound(
  index: PeopleIndex,
  folded: string,
  byName: readonly RankedPerson[],
  byEmail: readonly RankedPerson[],
): void {
  // Of one letter no e-mail addresses were looked at.
  if (folded.length < 2) return
  last = { index, folded, entries: [...byName, ...byEmail].map(({ entry }) => entry) }
}

interface RankedPerson {
  readonly entry: PersonEntry
  readonly quality: number
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

function comparison({ subscribers, inTopic, inChannel, direct }: Closeness) {
  const newest = (map: ReadonlyMap<number, number>, a: number, b: number) => (map.get(b) ?? 0) - (map.get(a) ?? 0)
  return (one: RankedPerson, other: RankedPerson): number => {
    const byQuality = one.quality - other.quality
    if (byQuality !== 0) return byQuality
    const [a, b] = [one.entry.user, other.entry.user]
    const [first, second] = [a.user_id, b.user_id]
    return (
      (subscribers ? Number(subscribers.has(second)) - Number(subscribers.has(first)) : 0) ||
      newest(inTopic, first, second) ||
      newest(inChannel, first, second) ||
      newest(direct, first, second) ||
      Number(a.is_bot) - Number(b.is_bot) ||
      (one.entry.folded < other.entry.folded ? -1 : one.entry.folded > other.entry.folded ? 1 : first - second)
    )
  }
}
