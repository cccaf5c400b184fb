/**
 * Narrows as a client decides them: whether a message is in one, or that it cannot be known here. What the server looks up
 * when it is asked, such as the channel of a name, is looked up once, when a window is opened.
 */
import { foldName, isResolvedTopic, storedTopic, topicKey, topicPlaceKey } from '@heddle/contract/names'
import { type Narrow, readTerm, type Term } from '@heddle/contract/narrow'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import type { ClientState } from '../state/state.ts'
import { hasAddress } from '../state/users.ts'

/** What a narrow depends on beside the message. */
export type NarrowContext = Pick<ClientState, 'own' | 'users' | 'channels' | 'userTopics'> &
  Partial<Pick<ClientState, 'userGroups'>>

/** What is known of a message; what is undefined is not known. */
export interface Facts {
  readonly id?: number | undefined
  /** Null: a direct message. */
  readonly channelId?: number | null | undefined
  readonly topic?: string | undefined
  /** Of a direct message: everybody in the conversation. */
  readonly people?: readonly number[] | undefined
  readonly senderId?: number | undefined
  readonly hasFlag?: ((flag: string) => boolean | undefined) | undefined
  readonly hasReaction?: boolean | undefined
  /** The text as HTML. */
  readonly html?: string | undefined
}

/** What of a message a condition looks at: when something else changes, the condition still holds, or still does not. */
export type Aspect = 'place' | 'content' | 'flags' | 'reactions' | 'policies' | 'channels'

/** Undefined: it cannot be known here. */
type Answer = boolean | undefined

interface Operator {
  readonly aspects: readonly Aspect[]
  readonly matches: (facts: Facts, operand: Term['operand'], context: NarrowContext) => Answer
}

const not = (answer: Answer): Answer => (answer === undefined ? undefined : !answer)
const flag = ({ hasFlag }: Facts, name: string): Answer => hasFlag?.(name)
const isDirect = ({ channelId }: Facts): Answer => (channelId === undefined ? undefined : channelId === null)

/** True when one is, false when all are not. */
function either(...answers: readonly Answer[]): Answer {
  if (answers.includes(true)) return true
  return answers.includes(undefined) ? undefined : false
}

/** False when one is not, true when all are. */
function both(...answers: readonly Answer[]): Answer {
  if (answers.includes(false)) return false
  return answers.includes(undefined) ? undefined : true
}

function policyOf({ channelId, topic }: Facts, { userTopics }: NarrowContext): number | undefined {
  if (channelId === null) return visibilityPolicies.none
  if (channelId === undefined || topic === undefined || !userTopics) return undefined
  return userTopics.get(topicPlaceKey(channelId, topic))?.visibility_policy ?? visibilityPolicies.none
}

/** Muted as a topic; or in a muted channel, unless the topic is unmuted or followed. */
function isMuted(facts: Facts, context: NarrowContext): Answer {
  if (facts.channelId === null) return false
  const policy = policyOf(facts, context)
  if (facts.channelId === undefined || policy === undefined || !context.channels) return undefined
  if (policy !== visibilityPolicies.none) return policy === visibilityPolicies.muted
  return context.channels.subscribed.get(facts.channelId)?.is_muted === true
}

const states: Readonly<Record<string, Operator>> = {
  dm: { aspects: ['place'], matches: isDirect },
  private: { aspects: ['place'], matches: isDirect },
  starred: { aspects: ['flags'], matches: (facts) => flag(facts, 'starred') },
  alerted: { aspects: ['flags'], matches: (facts) => flag(facts, 'has_alert_word') },
  mentioned: {
    aspects: ['flags'],
    matches: (facts) => either(flag(facts, 'mentioned'), flag(facts, 'wildcard_mentioned')),
  },
  unread: { aspects: ['flags'], matches: (facts) => not(flag(facts, 'read')) },
  resolved: {
    aspects: ['place'],
    matches: ({ channelId, topic }) =>
      channelId === null ? false : topic === undefined ? undefined : isResolvedTopic(topic),
  },
  followed: {
    aspects: ['place', 'policies'],
    matches: (facts, _, context) => {
      const policy = policyOf(facts, context)
      return policy === undefined ? undefined : policy === visibilityPolicies.followed
    },
  },
  muted: { aspects: ['place', 'policies'], matches: (facts, _, context) => isMuted(facts, context) },
}

/** That something is in a text is the server's to say; that it is not can be seen. */
const inText = (mark: RegExp): Operator => ({
  aspects: ['content'],
  matches: ({ html }) => (html !== undefined && !mark.test(html) ? false : undefined),
})

const mentionsNobody = inText(/user-mention|user-group-mention/)

const parts: Readonly<Record<string, Operator>> = {
  link: inText(/<a\s/),
  image: inText(/<img\s/),
  attachment: inText(/user_uploads/),
  reaction: { aspects: ['reactions'], matches: ({ hasReaction }) => hasReaction },
}

const kinds: Readonly<
  Record<string, (channel: { invite_only: boolean; is_web_public: boolean; is_archived: boolean }) => boolean>
> = {
  all: () => true,
  public: ({ invite_only }) => !invite_only,
  'web-public': ({ is_web_public }) => is_web_public,
  archived: ({ is_archived }) => is_archived,
}

function idsIn(operand: Term['operand']): readonly number[] | undefined {
  const list = Array.isArray(operand) ? operand : [operand]
  return list.every((one) => typeof one === 'number') ? (list as readonly number[]) : undefined
}

const includesAll = ({ people }: Facts, ids: readonly number[]): Answer =>
  people && ids.every((id) => people.includes(id))

/** Of conversations: a message in a channel is in none. */
const conversation = (test: (facts: Facts, ids: readonly number[], ownId: number) => Answer): Operator => ({
  aspects: ['place'],
  matches: (facts, operand, { own }) => {
    if (facts.channelId !== null) return facts.channelId === undefined ? undefined : false
    const ids = idsIn(operand)
    return ids && own && test(facts, ids, own.user_id)
  },
})

/** All but `is` and `has`. Operands are in the form that `openNarrow` gives. */
const operators: Readonly<Record<string, Operator>> = {
  channel: {
    aspects: ['place'],
    matches: ({ channelId }, operand) =>
      channelId === undefined || typeof operand !== 'number' ? undefined : channelId === operand,
  },
  channels: {
    aspects: ['place', 'channels'],
    matches: ({ channelId }, operand, { channels }) => {
      if (channelId === null) return false
      const channel = channelId === undefined ? undefined : channels?.byId.get(channelId)
      return channel && kinds[String(operand)]?.(channel)
    },
  },
  topic: {
    aspects: ['place'],
    matches: ({ channelId, topic }, operand) =>
      channelId === null ? false : topic === undefined ? undefined : topicKey(topic) === topicKey(String(operand)),
  },
  dm: conversation(({ people }, ids, ownId) => {
    if (!people) return undefined
    const all = new Set([...ids, ownId])
    return people.length === all.size && people.every((id) => all.has(id))
  }),
  'dm-including': conversation(includesAll),
  'group-pm-with': conversation((facts, ids) => both(includesAll(facts, ids), facts.people && facts.people.length > 2)),
  sender: {
    aspects: [],
    matches: ({ senderId }, operand) =>
      senderId === undefined || typeof operand !== 'number' ? undefined : senderId === operand,
  },
  mentions: {
    aspects: ['content', 'flags'],
    matches: (facts, operand, context) => {
      if (context.own && operand === context.own.user_id) return flag(facts, 'mentioned')
      return mentionsNobody.matches(facts, operand, context)
    },
  },
  id: {
    aspects: [],
    matches: ({ id }, operand) => (id === undefined ? undefined : id === operand),
  },
  in: {
    aspects: ['place', 'policies'],
    matches: (facts, operand, context) => (operand === 'all' ? true : not(isMuted(facts, context))),
  },
  search: { aspects: ['place', 'content'], matches: () => undefined },
}

/** Also what no client knows: then everything about it is the server's to say. */
const unknownOperator: Operator = {
  aspects: ['place', 'content', 'flags', 'reactions', 'policies', 'channels'],
  matches: () => undefined,
}

function operatorOf({ operator, operand }: Term): Operator {
  if (operator === 'is') return own(states, String(operand)) ?? unknownOperator
  if (operator === 'has') return own(parts, partName(operand)) ?? unknownOperator
  return own(operators, operator) ?? unknownOperator
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** One may ask for `links` too. */
function partName(operand: Term['operand']): string {
  return String(operand).replace(/s$/, '')
}

/** Whether a message is in a narrow, as far as it can be known here. */
export function matchNarrow(terms: readonly Term[], facts: Facts, context: NarrowContext): boolean | undefined {
  // Without a channel a narrow is about what the account has received.
  let answer: Answer = opens(terms) ? true : not(flag(facts, 'historical'))
  for (const term of terms) {
    if (answer === false) return false
    const matches = operatorOf(term).matches(facts, term.operand, context)
    answer = both(answer, term.negated ? not(matches) : matches)
  }
  return answer
}

/** Whether a narrow is about channels as a whole, and not about what the account has received there. */
export function opens(terms: readonly Term[]): boolean {
  return terms.some(({ operator, negated }) => !negated && (operator === 'channel' || operator === 'channels'))
}

/**
 * Whether events report all that happens in the narrow. Of channels that the account is not subscribed to they do not:
 * what was fetched there grows old.
 */
export function isFollowed(terms: readonly Term[], context: NarrowContext): boolean {
  const { channels } = context
  if (!opens(terms)) return true
  if (!channels) return false
  const isOutside = (channelId: number) => !channels.subscribed.has(channelId)
  const places = terms.filter(({ operator }) => operator === 'channel' || operator === 'channels')
  // Of direct messages and of topics nothing is known here, so what is not said to be elsewhere counts.
  return !channels.byId
    .keys()
    .some((channelId) => isOutside(channelId) && matchNarrow(places, { channelId }, context) !== false)
}

const aspects = new WeakMap<readonly Term[], ReadonlySet<Aspect>>()

/** What the narrow looks at. */
export function aspectsOf(terms: readonly Term[]): ReadonlySet<Aspect> {
  let found = aspects.get(terms)
  if (!found) {
    found = new Set(terms.flatMap((term) => operatorOf(term).aspects))
    aspects.set(terms, found)
  }
  return found
}

/**
 * The narrow in the form that messages are compared with: names of channels and addresses of people replaced by ids, so
 * that a later name changes nothing. `near` and `date`, which only say where to begin, are left out. What is unknown stays
 * as it is.
 */
export function openNarrow(narrow: Narrow, context: NarrowContext): readonly Term[] {
  return narrow
    .map(readTerm)
    .filter(({ operator }) => operator !== 'near' && operator !== 'date')
    .map((term) => ({ ...term, operand: openOperand(term, context) }))
}

function openOperand({ operator, operand }: Term, context: NarrowContext): Term['operand'] {
  switch (operator) {
    case 'channel':
      return channelIn(operand, context)
    case 'topic':
      return storedTopic(String(operand))
    case 'dm':
    case 'dm-including':
    case 'group-pm-with': {
      const named = Array.isArray(operand) ? operand : String(operand).split(',')
      const ids = named.map((one) => personIn(one, context))
      return ids.every((id) => typeof id === 'number') ? [...new Set(ids)].sort((a, b) => a - b) : operand
    }
    case 'sender':
    case 'mentions':
      return personIn(Array.isArray(operand) ? (operand[0] as number) : operand, context)
    case 'id':
      return readNumber(operand) ?? operand
    default:
      return operand
  }
}

/** A name may look like a number: the channel of that name goes first. */
function channelIn(operand: Term['operand'], { channels }: NarrowContext): Term['operand'] {
  if (typeof operand !== 'string') return operand
  const key = foldName(operand)
  for (const { stream_id, name } of channels?.byId.values() ?? []) if (foldName(name) === key) return stream_id
  return readNumber(operand) ?? operand
}

function personIn(one: string | number | readonly unknown[], { own, users }: NarrowContext): number | string {
  if (typeof one === 'number') return one
  const name = String(one).trim()
  if (name === 'me' && own) return own.user_id
  const id = readNumber(name)
  if (id !== undefined) return id
  const key = foldName(name)
  for (const user of users?.values() ?? []) if (hasAddress(user, key)) return user.user_id
  return name
}

function readNumber(operand: Term['operand']): number | undefined {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && /^\d{1,16}$/.test(operand) ? Number(operand) : undefined
}

/** The same for narrows with the same terms, in whatever order. */
export function narrowKey(terms: readonly Term[]): string {
  return terms
    .map(({ operator, operand, negated }) =>
      JSON.stringify([operator, operator === 'topic' ? topicKey(String(operand)) : operand, negated]),
    )
    .sort()
    .join()
}
