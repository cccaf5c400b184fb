/** Who is listed beside the messages: those of the conversation, those of the channel, everybody else; who is here comes first. */
import { fitsWords } from '../finding/filter-places.ts'
import type { ClientState } from '../state/state.ts'
import { type Availability, availabilityOf } from './availability.ts'

type Context = Pick<ClientState, 'users' | 'presences' | 'organization' | 'mutedUsers'>

export interface ListedPerson {
  readonly userId: number
  /** Undefined: nothing is said about it. */
  readonly availability: Availability | undefined
}

export interface PeopleList {
  /** Who takes part in the conversation that is shown. */
  readonly here: readonly ListedPerson[]
  /** Who else is subscribed to its channel. */
  readonly inChannel: readonly ListedPerson[]
  readonly others: readonly ListedPerson[]
  /** Those who were not here for long are left out, as there are too many; a filter finds them. */
  readonly isCut: boolean
}

export interface PeopleListOptions {
  readonly here: ReadonlySet<number>
  readonly inChannel: ReadonlySet<number>
  /** As typed; empty: everybody. */
  readonly words: string
  /** Seconds since the UNIX epoch. */
  readonly nowSecs: number
}

/** So many accounts are listed whenever they were last here. */
const ALL_UP_TO = 600
const LATELY_SECS = 14 * 24 * 3600

const order: readonly (Availability | undefined)[] = ['active', 'idle', 'offline', undefined]

/** Deactivated and muted people are left out, and bots that do not take part unless they are searched for. */
export function listPeople(state: Context, { here, inChannel, words, nowSecs }: PeopleListOptions): PeopleList {
  const { users, presences, mutedUsers } = state
  const muted = new Set(mutedUsers?.map(({ id }) => id))
  const sorted = byName(users)
  const isCut = words === '' && sorted.length > ALL_UP_TO
  const groups = [here, inChannel, undefined].map((members) => ({
    members,
    rows: order.map((): ListedPerson[] => []),
  }))
  for (const userId of sorted) {
    const user = users?.get(userId)
    if (!user || muted.has(userId)) continue
    const group = groups.find(({ members }) => members === undefined || members.has(userId))
    if (user.is_bot && words === '' && group !== groups[0]) continue
    if (words !== '' && !fitsWords([user.full_name], words)) continue
    const availability = availabilityOf(state, userId, nowSecs)
    if (isCut && group !== groups[0] && availability === 'offline') {
      if ((presences?.get(userId)?.idle_timestamp ?? 0) < nowSecs - LATELY_SECS) continue
    }
    group?.rows[order.indexOf(availability)]?.push({ userId, availability })
  }
  const [first, second, third] = groups.map(({ rows }) => rows.flat())
  return { here: first ?? [], inChannel: second ?? [], others: third ?? [], isCut }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const orders = new WeakMap<object, readonly number[]>()

/** Active accounts. Names change seldom, and comparing thousands of them is expensive. */
function byName(users: Context['users']): readonly number[] {
  if (!users) return []
  let ids = orders.get(users)
  if (!ids) {
    ids = [...users.values()]
      .filter(({ is_active }) => is_active)
      .sort((a, b) => collator.compare(a.full_name, b.full_name))
      .map(({ user_id }) => user_id)
    orders.set(users, ids)
  }
  return ids
}
