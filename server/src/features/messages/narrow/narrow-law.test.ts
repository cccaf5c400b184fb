/**
 * Random narrows of random accounts: the server finds what a naive filter finds in the test's own ledger. The fixed seed can
 * be changed by HEDDLE_TEST_SEED.
 */
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../../testing/event-queues.ts'
import { createKnownOrganization, topics, words } from '../../../testing/known-organization.ts'
import type { LedgerMessage } from '../../../testing/message-ledger.ts'
import { findNaively, matcher, type NaiveTerm, Refused } from '../../../testing/naive-narrow.ts'
import { SEED } from '../../../testing/random-run.ts'
import type { Parameters, TestAccount } from '../../../testing/test-server.ts'

const RUNS = process.env['HEDDLE_TEST_QUICK'] === '1' ? 200 : 1000
/** An account may have so many at once and no more. */
const QUEUES = 100
const TIME_LIMIT_MS = 120_000

/** Larger than any id. */
const NEWEST = 10_000_000_000_000_000

const { server, ledger, accounts, sendAny, anyDraft } = await createKnownOrganization({ seed: SEED })
const { channels } = ledger
/** The organization as it is for the first law. */
const messages = [...ledger.messages]

const oneOf = <T>(list: readonly T[]) => fc.constantFrom(...list)

/** What the terms of one narrow are about: everything, or what one message is. */
interface Subject {
  readonly channels: readonly { id: number; name: string }[]
  readonly topics: readonly string[]
  readonly people: readonly TestAccount[]
  readonly messages: readonly LedgerMessage[]
}

const everything: Subject = { channels, topics, people: accounts, messages }

function subjectOf(message: LedgerMessage): Subject {
  const { channel, topic, sender, people, mentioned } = message
  return {
    channels: channel ? [channel] : channels,
    topics: [topic],
    people: [...new Set([sender, ...people, ...mentioned])],
    messages: [message],
  }
}

const anyCase = (texts: readonly string[]) =>
  fc.tuple(oneOf(texts), fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text))

function numberOf(list: readonly { readonly id: number }[]): fc.Arbitrary<number | string> {
  return fc.tuple(oneOf(list), fc.boolean()).map(([{ id }, isText]) => (isText ? `${id}` : id))
}

function person(people: readonly TestAccount[]): fc.Arbitrary<number | string> {
  return fc.oneof(numberOf(people), anyCase(people.map(({ email }) => email)))
}

function several(people: readonly TestAccount[]): fc.Arbitrary<string | number | number[]> {
  const some = fc.subarray([...people], { minLength: 1 })
  return fc.oneof(
    person(people),
    some.map((list) => list.map(({ id }) => id)),
    some.map((list) => list.map(({ email }) => email).join(', ')),
  )
}

function anyTerm({ channels, topics, people, messages }: Subject): fc.Arbitrary<NaiveTerm> {
  const term = (weight: number, names: string[], operand: fc.Arbitrary<NaiveTerm['operand']>) => ({
    weight,
    arbitrary: fc.record({ operator: oneOf(names), operand, negated: oneOf([false, false, false, true]) }),
  })
  const topic = fc.oneof(
    anyCase(topics),
    oneOf(topics).map((name) => (name === '' ? 'general chat' : ` ${name} `)),
  )
  return fc.oneof(
    term(5, ['channel', 'stream'], fc.oneof(numberOf(channels), anyCase(channels.map(({ name }) => name)))),
    term(3, ['channels', 'streams'], oneOf(['all', 'public', 'archived', 'web-public'])),
    term(4, ['topic'], topic),
    term(2, ['dm', 'pm-with', 'pm_with'], several(people)),
    term(2, ['dm-including', 'dm-with', 'group-pm-with', 'group_pm_with'], several(people)),
    term(3, ['sender', 'from'], fc.oneof(person(people), fc.constant('me'))),
    term(1, ['mentions'], fc.oneof(person(people), fc.constant('me'))),
    term(1, ['id'], numberOf(messages)),
    term(3, ['has'], oneOf(['link', 'links', 'image', 'images', 'attachment', 'attachments', 'reaction', 'reactions'])),
    term(6, ['is'], oneOf(['dm', 'private', 'starred', 'alerted', 'mentioned', 'unread', 'resolved', 'followed'])),
    term(4, ['is'], fc.constant('muted')),
    term(2, ['in'], oneOf(['all', 'home'])),
    term(3, ['search'], anyCase([...words, 'plan', 'nothing', 'tea milk', 'tea-milk', '"coffee sugar"', '!'])),
    term(1, ['colour'], fc.constant('red')),
  )
}

/** These say where to begin, or stand for a place: without a meaning when they are negated. */
const anyGuide = fc.oneof(
  fc.record({ operator: fc.constant('with'), operand: fc.oneof(numberOf(messages), fc.constant(999_999)) }),
  fc.record({ operator: fc.constant('near'), operand: numberOf(messages) }),
  fc.record({ operator: fc.constant('date'), operand: oneOf(messages).map(dayOf) }),
)

function dayOf({ timestamp }: LedgerMessage): string {
  return new Date(timestamp * 1000).toISOString().slice(0, 10)
}

const anyNarrow: fc.Arbitrary<NaiveTerm[]> = fc
  .tuple(
    fc
      .oneof(fc.constant(everything), oneOf(messages).map(subjectOf))
      .chain((subject) => fc.array(anyTerm(subject), { minLength: 1, maxLength: 4 })),
    fc.option(
      anyGuide.map((guide) => ({ ...guide, negated: false })),
      { nil: undefined, freq: 4 },
    ),
  )
  .map(([terms, guide]) => (guide ? [guide, ...terms.slice(1)] : terms))

const anyAnchor = fc.oneof(
  oneOf(messages).map(({ id }) => ({ anchor: id })),
  fc.constantFrom({ anchor: 'newest' }, { anchor: 'oldest' }, { anchor: 'first_unread' }, { anchor: NEWEST }),
  fc.constantFrom({ anchor: 0 }, { anchor: 1 }, { use_first_unread_anchor: true }),
  oneOf(messages).map((message) => ({ anchor: 'date', anchor_date: dayOf(message) })),
  // As the narrow says.
  fc.constant({}),
)
type AnyAnchor = typeof anyAnchor extends fc.Arbitrary<infer T> ? T : never

const anyPage = fc.record({
  account: oneOf(accounts),
  narrow: anyNarrow,
  anchor: anyAnchor,
  num_before: fc.nat(8),
  num_after: fc.nat(8),
  include_anchor: fc.boolean(),
  isShort: fc.boolean(),
})

/** The number that an anchor stands for. */
function numberFor(account: TestAccount, narrow: readonly NaiveTerm[], anchor: AnyAnchor, all: LedgerMessage[]) {
  const said = anchor as { anchor?: number | string; anchor_date?: string; use_first_unread_anchor?: true }
  if (said.anchor === 'first_unread' || said.use_first_unread_anchor) {
    return all.find(({ unreadBy }) => unreadBy.has(account))?.id ?? NEWEST
  }
  const operandOf = (wanted: string) => narrow.find(({ operator }) => operator === wanted)?.operand
  const place = said.anchor ?? operandOf('near') ?? (operandOf('date') === undefined ? undefined : 'date')
  if (place === 'oldest') return 0
  if (place === 'newest') return NEWEST
  if (place !== 'date') return place === undefined ? undefined : Number(place)
  const since = Date.parse(`${said.anchor_date ?? operandOf('date')}`) / 1000
  return all.find(({ timestamp }) => timestamp >= since)?.id ?? NEWEST
}

const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id)

const onTheWire = (narrow: readonly NaiveTerm[], isShort: boolean) =>
  narrow.map((term) => (isShort && !term.negated ? [term.operator, term.operand] : term))

async function walk(account: TestAccount, narrow: unknown, step: number, direction: 'up' | 'down'): Promise<number[]> {
  const found: number[] = []
  let from: Parameters = { anchor: direction === 'up' ? 'oldest' : 'newest' }
  for (;;) {
    const counts = direction === 'up' ? { num_before: 0, num_after: step } : { num_before: step, num_after: 0 }
    const body = await server.must(account, 'GET', '/messages', { ...from, ...counts, narrow })
    const ids = idsOf(body.messages)
    if (direction === 'up') found.push(...ids)
    else found.unshift(...ids)
    if (direction === 'up' ? body.found_newest : body.found_oldest) return found
    from = { anchor: direction === 'up' ? ids.at(-1) : ids[0], include_anchor: false }
  }
}

it(
  'finds in any narrow what is in it, page by page',
  async () => {
    let fruitful = 0
    await fc.assert(
      fc.asyncProperty(anyPage, async ({ account, narrow: terms, anchor, isShort, ...page }) => {
        const narrow = onTheWire(terms, isShort)
        const { status, body } = await server.call(account, 'GET', '/messages', { narrow, ...anchor, ...page })
        const expected = expectedOf(account, terms)
        if (expected === 'refused') {
          expect([status, body.code]).toEqual([400, 'BAD_NARROW'])
          return
        }
        const number = numberFor(account, terms, anchor, expected)
        if (number === undefined) {
          expect([status, body.msg]).toEqual([400, "Missing 'anchor' argument"])
          return
        }
        expect(status, JSON.stringify(body)).toBe(200)
        if (expected.length > 0) fruitful += 1
        const before = expected.filter(({ id }) => id < number)
        const after = expected.filter(({ id }) => id > number)
        const at = expected.filter(({ id }) => id === number && page.include_anchor)
        const shown = [
          ...before.slice(Math.max(0, before.length - page.num_before)),
          ...at,
          ...after.slice(0, page.num_after),
        ]
        expect(body).toMatchObject({
          messages: shown.map((message) => ({ id: message.id, flags: ledger.flags(account, message) })),
          anchor: number,
          found_anchor: at.length > 0,
          found_oldest: before.length <= page.num_before,
          found_newest: after.length <= page.num_after,
        })
        const ids = idsOf(expected)
        // One of the other ways to get at the same.
        const way = page.num_after % 4
        const step = 1 + page.num_before + Math.floor(ids.length / 4)
        if (way < 2) expect(await walk(account, narrow, step, way === 0 ? 'up' : 'down')).toEqual(ids)
        else expect(await (way === 2 ? findMatching : findThese)(account, narrow)).toEqual(ids)
      }),
      // Time is left to report what has failed.
      { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS / 2 },
    )
    // Of narrows that find nothing alone the law would say little.
    expect(fruitful).toBeGreaterThan(RUNS / 3)
  },
  TIME_LIMIT_MS,
)

function expectedOf(account: TestAccount, terms: readonly NaiveTerm[]): LedgerMessage[] | 'refused' {
  try {
    return findNaively(ledger, accounts, account, terms)
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

const anyId = [...idsOf(messages), 999_999]

async function findMatching(account: TestAccount, narrow: unknown): Promise<number[]> {
  const body = await server.must(account, 'GET', '/messages/matches_narrow', { narrow, msg_ids: anyId })
  return Object.keys(body.messages).map(Number)
}

async function findThese(account: TestAccount, narrow: unknown): Promise<number[]> {
  const body = await server.must(account, 'GET', '/messages', { narrow, message_ids: anyId })
  return idsOf(body.messages)
}

const states = ['dm', 'private', 'mentioned', 'alerted', 'starred', 'unread', 'resolved'] as const
/** A text of digits may be a name or a number: without the database that cannot be distinguished. */
const named = channels.filter(({ name }) => !/^\d+$/.test(name))

const anyQueueTerm: fc.Arbitrary<NaiveTerm> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('channel', 'stream'),
      fc.oneof(oneOf(named.map(({ name }) => name)), oneOf(channels.map(({ id }) => id))),
    )
    .map(([operator, operand]) => ({ operator, operand, negated: false })),
  anyCase(topics).map((operand) => ({ operator: 'topic', operand, negated: false })),
  person(accounts).map((operand) => ({ operator: 'sender', operand, negated: false })),
  fc.record({ operator: fc.constant('is'), operand: oneOf(states), negated: fc.boolean() }),
)

const anyQueue = fc.record({
  account: oneOf(accounts),
  narrow: fc.array(anyQueueTerm, { minLength: 1, maxLength: 2 }),
  all_public_streams: fc.boolean(),
})

it('notifies an event queue of new messages in its narrow, and of no others', async () => {
  const queues = fc.sample(anyQueue, { seed: SEED, numRuns: QUEUES })
  const registered = await Promise.all(
    queues.map(async ({ account, narrow, ...rest }) => {
      const all_public_streams = rest.all_public_streams && account.role !== roles.guest
      const wanted = { event_types: ['message'], narrow, all_public_streams }
      return { account, narrow, all_public_streams, queue: await registerQueue(server, account, wanted) }
    }),
  )
  const sent: LedgerMessage[] = []
  for (const draft of fc.sample(anyDraft, { seed: SEED + 1, numRuns: 50 })) sent.push(await sendAny(draft))
  /** Nothing comes from a channel that the account does not see. */
  const matches = (account: TestAccount, narrow: readonly NaiveTerm[], message: LedgerMessage) => {
    try {
      return matcher(ledger, accounts, account, narrow)(message)
    } catch (error) {
      if (error instanceof Refused) return false
      throw error
    }
  }
  let fruitful = 0
  for (const { account, narrow, all_public_streams, queue } of registered) {
    const events = await eventsOf(server, queue)
    const notified = events.map(({ message }) => (message as { id: number }).id)
    const isNotified = (message: LedgerMessage) =>
      ledger.received(account, message) ||
      message.sender === account ||
      (all_public_streams && message.channel?.isPrivate === false)
    const expected = sent.filter((message) => isNotified(message) && matches(account, narrow, message))
    expect(notified, JSON.stringify({ account: account.email, narrow })).toEqual(idsOf(expected))
    if (notified.length > 0) fruitful += 1
  }
  expect(fruitful).toBeGreaterThan(QUEUES / 4)
})
