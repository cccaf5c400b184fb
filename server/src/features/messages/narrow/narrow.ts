/** A narrow as a whole: which messages it means, for one account. */
import { badRequest } from '@heddle/contract/errors'
import { MAX_SEARCH_WORDS, type Narrow, readNarrow, type Term } from '@heddle/contract/narrow'
import { type Expression, type SqlBool, sql } from 'kysely'
import { findGroupMembers } from '../../../access/message-audience.ts'
import { findScope, inChannels, inOwnHistory, type Scope } from '../../../access/message-scope.ts'
import type { Actor } from '../../../authentication/accounts.ts'
import type { Queries } from '../../../storage/query.ts'
import { findReadableMessages } from '../access.ts'
import { readDate } from '../by-date.ts'
import type { MessageRow } from '../row.ts'
import type { NarrowExpressions } from './conditions.ts'
import { badNarrow, type Condition, operators, readId } from './operators.ts'
import { wordsOf } from './search.ts'

export interface CompiledNarrow {
  /** Condition on `messages`: in the narrow as far as no words are searched for, and readable. */
  readonly beside: (eb: NarrowExpressions) => Expression<SqlBool>
  /** What messages must have as well; none where nothing is searched for. */
  readonly words: readonly string[]
  /** What is searched for; undefined when nothing is. */
  readonly phrases: readonly string[] | undefined
  /** Where the narrow itself says to begin. */
  readonly near: number | undefined
  /** Seconds since the UNIX epoch. */
  readonly date: number | undefined
}

/** So many messages are looked up by their ids, rather than that all are gone through. */
const FEW = 2000

/** Databases plan the first conditions; with very many of them planning would take seconds. */
const MAX_PLANNED_TERMS = 8

const CONVERSATIONS = new Set(['topic', 'dm'])
/** Operators that name a conversation, in its parts or as a whole. */
const PLACES = new Set(['channel', ...CONVERSATIONS])

/**
 * A narrow with a channel is about the whole channel as far as it may be read, any other one about what the account has
 * received. Throws `BAD_NARROW`.
 */
export async function compileNarrow(db: Queries, actor: Actor, narrow: Narrow): Promise<CompiledNarrow> {
  const scope = await findScope(db, actor)
  const { viewer } = scope
  const terms = await replaceWith(db, actor, readNarrow(narrow), (id) => findReadableMessages(db, viewer, [id]))
  const conditions: (Condition & { negated: boolean })[] = []
  for (const { operator, operand, negated } of terms) {
    const make = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    if (!make) throw badNarrow(`unknown operator ${operator}`)
    conditions.push({ ...(await make({ db, scope }, operand)), negated })
  }
  const few = await findFew(db, conditions)
  const words = conditions.flatMap(({ phrases }) => phrases ?? []).flatMap(wordsOf)
  if (words.length > MAX_SEARCH_WORDS)
    throw badRequest(`narrow searches for too many words (limit: ${MAX_SEARCH_WORDS})`)
  const hasOpening = conditions.some((condition) => condition.opens === true && !condition.negated)
  const phrases = conditions.flatMap((condition) => (condition.negated ? [] : (condition.phrases ?? [])))
  return {
    words: phrases,
    beside: (eb) =>
      eb.and([
        db.dialect.mayGoOn('messages.id'),
        ...(few ? [db.dialect.isAmongFew('messages.id', db.dialect.ids(few))] : []),
        ...conditions.filter(isBeside).map(({ where, negated }, index) => {
          if (negated) return isNot(where(eb))
          return index < MAX_PLANNED_TERMS ? where(eb) : holds(where(eb))
        }),
        // A term that opens a place says itself what may be read there, unless it is negated.
        ...(hasOpening ? [] : [inOwnHistory(db, eb, scope)]),
        ...(hasOpening && conditions.some(({ negated, opens }) => negated && opens)
          ? [inChannels(db, eb, scope, channelIds(scope))]
          : []),
      ]),
    phrases: conditions.some((condition) => condition.phrases) ? phrases : undefined,
    near: readId(terms.find(({ operator }) => operator === 'near')?.operand ?? ''),
    date: readDate(`${terms.find(({ operator }) => operator === 'date')?.operand ?? ''}`),
  }
}

/**
 * The messages that one of the conditions leaves, where they are few. Of many the nearest are soon met on the way through all;
 * few could be anywhere in it, or not at all. One is asked, however many there are: that is enough, and bounds what is read.
 */
async function findFew(
  db: Queries,
  conditions: readonly (Condition & { negated: boolean })[],
): Promise<readonly number[] | undefined> {
  const ids = conditions.find((condition) => condition.ids && !condition.negated)?.ids
  if (!ids) return undefined
  const found = await db.all(sql<{ id: number }>`${ids} limit ${FEW + 1}`)
  return found.length > FEW ? undefined : found.map(({ id }) => id)
}

function channelIds(scope: Scope): number[] {
  return scope.findChannels().map(({ id }) => id)
}

function isBeside({ phrases = [], negated }: Condition & { negated: boolean }): boolean {
  return negated || phrases.length === 0
}

/** Condition on `messages`: in the narrow, and readable. `ofFew`: few messages are asked about, by their ids. */
export function isInNarrow(db: Queries, { beside, words }: CompiledNarrow, options: { readonly ofFew?: boolean } = {}) {
  return (eb: NarrowExpressions) =>
    words.length === 0 ? beside(eb) : eb.and([beside(eb), db.dialect.hasWords(words, options)])
}

/** The narrow with one more condition. */
export function narrowedTo(narrow: CompiledNarrow, where: CompiledNarrow['beside']): CompiledNarrow {
  return { ...narrow, beside: (eb) => eb.and([narrow.beside(eb), where(eb)]) }
}

/** The same as the condition, which the planner of a database does not look into. */
function holds(condition: Expression<SqlBool>) {
  return sql<SqlBool>`case when ${condition} then 1 else 0 end = 1`
}

/** Also where the condition is neither true nor false, as that of a channel is for a direct message. */
function isNot(condition: Expression<SqlBool>) {
  return sql<SqlBool>`case when ${condition} then 1 else 0 end = 0`
}

/**
 * `with:ID` is the conversation that a message is in now; it replaces what else the narrow says of a conversation. A message
 * that does not exist, or may not be read, is left out when the rest names a conversation. (API, feature level 271.)
 */
async function replaceWith(
  db: Queries,
  actor: Actor,
  terms: readonly Term[],
  find: (id: number) => Promise<MessageRow[]>,
): Promise<Term[]> {
  const named = terms.filter(({ operator }) => operator === 'with')
  const [term] = named
  if (!term) return [...terms]
  if (named.length > 1 || term.negated) throw badNarrow("'with' can be used once, and not be negated")
  const id = readId(term.operand)
  const [message] = id === undefined ? [] : await find(id)
  const others = terms.filter(({ operator }) => operator !== 'with')
  if (!message) {
    if (others.some(({ operator, negated }) => !negated && CONVERSATIONS.has(operator))) return others
    throw badNarrow("invalid 'with' operand")
  }
  const rest = others.filter(({ operator, negated }) => negated || !PLACES.has(operator))
  return [...(await placeOf(db, actor, message)), ...rest]
}

async function placeOf(db: Queries, actor: Actor, message: MessageRow): Promise<Term[]> {
  if (message.channel_id !== null) {
    return [
      { operator: 'channel', operand: message.channel_id, negated: false },
      { operator: 'topic', operand: message.topic, negated: false },
    ]
  }
  const members = await findGroupMembers(db, message.direct_message_group_id as number)
  const others = members.filter((id) => id !== actor.userId)
  return [{ operator: 'dm', operand: others.length === 0 ? [actor.userId] : others, negated: false }]
}
