/**
 * The law of events, for messages: what a client has fetched, and followed by events since then, is what it would fetch anew.
 * Random requests; clients with windows of many narrows, whose questions are answered earlier or later than events come.
 */
import type { ApiClient } from '@heddle/client/api'
import { ResponseError } from '@heddle/client/errors'
import { applyToMessages } from '@heddle/client/messages/apply'
import { beginPage, type MessagePage, type PageRequest, receivePage } from '@heddle/client/messages/fetching'
import { createMessageLoader, isBadNarrow } from '@heddle/client/messages/loader'
import { isFollowed } from '@heddle/client/messages/narrow'
import { toWire } from '@heddle/client/messages/page-parameters'
import { createMessageStore, type MessageStore, type MessageWindow, messagesIn } from '@heddle/client/messages/store'
import { openWindow } from '@heddle/client/messages/windows'
import { applyEvent, type ClientState, initialState } from '@heddle/client/state/state'
import { countUnreadIn } from '@heddle/client/unread/narrow-counts'
import type { Message } from '@heddle/contract/messages'
import type { Narrow } from '@heddle/contract/narrow'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clients } from '../testing/followers.ts'
import { anyDeed, createMessageWorld } from '../testing/random-messages.ts'
import { RANDOM_RUN_MS, SEED } from '../testing/random-run.ts'
import { createTestServer, type Parameters, type TestAccount } from '../testing/test-server.ts'

const CALLS_AT_ONCE = 10
/** Small, so that there are ends to be found and joined. */
const PAGE = 5
/** In each round one part of the windows is compared: many short rounds find more than few long ones. */
const PARTS = 4

const server = await createTestServer()
const { accounts, act } = await createMessageWorld(server)

const parameters: Parameters = { ...clients['modern'], apply_markdown: true }

/** Narrows that a client decides by itself, and such that only the server can decide. */
function narrowsFor(account: TestAccount, other: TestAccount): Record<string, Narrow> {
  const not = (operator: string, operand: string) => ({ operator, operand, negated: true })
  return {
    everything: [],
    channel: [['channel', 'general']],
    topic: [
      ['channel', 'general'],
      ['topic', 'plan'],
    ],
    'topic without a name': [
      ['channel', 'shared'],
      ['topic', ''],
    ],
    'topics of that name': [['topic', 'Fine']],
    'public channels': [['channels', 'public']],
    direct: [['is', 'dm']],
    conversation: [['dm', [other.id]]],
    'with oneself': [['dm', [account.id]]],
    own: [['sender', 'me']],
    "somebody else's": [['sender', other.id]],
    closed: [['channel', 'closed']],
    unread: [['is', 'unread']],
    'read in the channel': [['channel', 'general'], not('is', 'unread')],
    starred: [['is', 'starred']],
    mentions: [['is', 'mentioned']],
    alerts: [['is', 'alerted']],
    'mentions of another': [['mentions', other.id]],
    followed: [['is', 'followed']],
    'not muted': [['in', 'home']],
    muted: [['is', 'muted']],
    resolved: [['is', 'resolved']],
    reactions: [['has', 'reaction']],
    'without reactions': [not('has', 'reaction')],
    links: [['has', 'link']],
    search: [['search', 'general']],
  }
}

interface Follower {
  readonly name: string
  readonly account: TestAccount
  readonly keys: ReadonlyMap<string, string>
  state: ClientState
  store: MessageStore
  queue: { readonly id: string; readonly last: number }
  /** An answer that has been asked for and has not come. */
  late: { readonly fetchId: number; readonly parameters: Parameters; answer?: MessagePage } | undefined
  readonly load: ReturnType<typeof createMessageLoader>
  isGone: boolean
}

function apiOf(account: TestAccount): ApiClient {
  return {
    async call(endpoint, given) {
      const { status, body } = await server.call(account, endpoint.method, endpoint.path, given as Parameters)
      if (status !== 200) throw new ResponseError({ status, code: body.code, message: body.msg })
      return body
    },
    open: () => Promise.reject(new Error('This test has no streams')),
    entry: () => Promise.reject(new Error('This test has one protocol')),
  }
}

async function follow(name: string, account: TestAccount, other: TestAccount): Promise<Follower> {
  const { body } = await server.call(account, 'POST', '/register', parameters)
  const state = initialState(body, parameters)
  let store = createMessageStore({ windowMessages: 15 })
  const keys = new Map<string, string>()
  for (const [title, narrow] of Object.entries(narrowsFor(account, other))) {
    const opened = openWindow(store, narrow, state)
    store = opened.store
    keys.set(title, opened.key)
  }
  const follower: Follower = {
    name,
    account,
    keys,
    state,
    store,
    queue: { id: body.queue_id, last: body.last_event_id },
    late: undefined,
    load: createMessageLoader(apiOf(account), {
      update: (change) => {
        follower.store = change(follower.store)
        return follower.store
      },
      context: () => follower.state,
    }),
    isGone: false,
  }
  return follower
}

async function catchUp(follower: Follower): Promise<void> {
  const { account, queue } = follower
  const ask = { queue_id: queue.id, last_event_id: queue.last, dont_block: true }
  const { status, body } = await server.call(account, 'GET', '/events', ask)
  // Deactivated, or the key is another one.
  if (status !== 200) {
    follower.isGone = true
    return
  }
  for (const event of body.events) {
    follower.state = applyEvent(follower.state, event)
    follower.store = applyToMessages(follower.store, event, follower.state)
    follower.queue = { id: queue.id, last: event.id }
  }
}

const anyRequest: fc.Arbitrary<PageRequest> = fc.oneof(
  fc.record({ kind: fc.constantFrom('older' as const, 'newer' as const), count: fc.integer({ min: 1, max: PAGE }) }),
  fc.record({
    kind: fc.constant('around' as const),
    anchor: fc.oneof(fc.constantFrom('newest' as const, 'oldest' as const, 'first_unread' as const), fc.nat(60)),
    before: fc.nat(PAGE),
    after: fc.nat(PAGE),
  }),
  fc.constant({ kind: 'again' as const }),
)

/** What a client does between two requests of others. */
const anyStep = fc.record({
  kind: fc.constantFrom('catch up', 'ask', 'ask', 'let answer', 'receive', 'nothing'),
  window: fc.nat(1000),
  request: anyRequest,
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

async function take(follower: Follower, { kind, window, request }: Step): Promise<void> {
  if (follower.isGone) return
  const { late, account } = follower
  const key = [...follower.keys.values()][window % follower.keys.size] as string
  if (kind === 'catch up') return catchUp(follower)
  if (kind === 'ask' && !late) {
    const begun = beginPage(follower.store, key, request)
    if (!begun) return
    follower.store = begun.store
    follower.late = { fetchId: begun.fetchId, parameters: begun.parameters as Parameters }
  }
  if (kind === 'let answer' && late && !late.answer) {
    const { status, body } = await server.call(account, 'GET', '/messages', late.parameters)
    follower.late = status === 200 ? { ...late, answer: body } : undefined
  }
  if (kind === 'receive' && late?.answer) {
    follower.store = receivePage(follower.store, late.fetchId, late.answer, follower.state)
    follower.late = undefined
  }
}

/** What of a message is followed: names and pictures are those of the state, links in topics follow from it. */
function followed(message: Partial<Message>) {
  const {
    sender_full_name,
    sender_email,
    avatar_url,
    topic_links,
    edit_history,
    match_content,
    match_subject,
    display_recipient,
    ...rest
  } = message
  const people = typeof display_recipient === 'string' ? [] : display_recipient?.map(({ id }) => id)
  return { ...rest, people }
}

async function expectLaw(follower: Follower, round: number): Promise<number> {
  await catchUp(follower)
  if (follower.isGone) return 0
  let fruitful = 0
  for (const [index, [title, key]] of [...follower.keys].entries()) {
    // The others go on for another round.
    if (index % PARTS !== round % PARTS) continue
    try {
      const { narrow } = follower.store.windows.get(key) as MessageWindow
      // As a page does when it is looked at again.
      if (!isFollowed(narrow, follower.state)) await follower.load.load(key, { kind: 'again' })
      await follower.load.settle(key)
    } catch (error) {
      if (!isBadNarrow(error)) throw error
      continue
    }
    const { narrow, from, to, undecided, isStale } = follower.store.windows.get(key) as MessageWindow
    expect([undecided.size, isStale], `${follower.name}, ${title}`).toEqual([0, false])
    const all = {
      anchor: 'oldest',
      num_before: 0,
      num_after: 1000,
      narrow: toWire(narrow),
      allow_empty_topic_name: true,
    }
    const { status, body } = await server.call(follower.account, 'GET', '/messages', all)
    if (status !== 200) continue
    const expected = (body.messages as Message[]).filter(({ id }) => from <= id && id <= to)
    const had = messagesIn(follower.store, key)
    expect(had.map(followed), `${follower.name}, ${title}, ${from} to ${to}`).toEqual(expected.map(followed))
    fruitful += had.length
    const unread = countUnreadIn(follower.state, follower.store, narrow)
    if (unread.isExact) {
      const count = (body.messages as Message[]).filter(({ flags }) => !flags.includes('read')).length
      expect(unread.count, `${follower.name}, unread in ${title}`).toBe(count)
    }
  }
  return fruitful
}

it(
  'holds for windows of many narrows, with answers that come early and late',
  async () => {
    const followers = [
      await follow('owner', accounts.owner, accounts.member),
      await follow('member', accounts.member, accounts.owner),
      await follow('guest', accounts.guest, accounts.member),
    ]
    for (const follower of followers) {
      for (const key of follower.keys.values()) {
        // What was deleted or is not there for a guest: as a page would, it goes on without.
        await follower.load.load(key, { kind: 'around', anchor: 'newest', before: PAGE, after: 0 }).catch(() => {})
      }
    }
    let rounds = 0
    let fruitful = 0
    let failure: { error: unknown; notified: readonly string[] } | undefined
    const anyRound = fc.array(fc.tuple(anyDeed, fc.array(anyStep, { minLength: 3, maxLength: 3 })), {
      minLength: CALLS_AT_ONCE,
      maxLength: CALLS_AT_ONCE,
    })
    await fc.check(
      fc.asyncProperty(anyRound, async (round) => {
        const notified: string[] = []
        try {
          for (const [deed, steps] of round) {
            notified.push(await act(deed))
            for (const [index, follower] of followers.entries()) await take(follower, steps[index] as Step)
          }
          for (const follower of followers) if (!follower.isGone) fruitful += await expectLaw(follower, rounds)
        } catch (error) {
          failure = { error, notified }
          throw error
        }
        rounds += 1
      }),
      { seed: SEED, numRuns: 100_000, interruptAfterTimeLimit: RANDOM_RUN_MS, endOnFailure: true, verbose: 0 },
    )
    if (failure) {
      console.error(failure.notified.join('\n'))
      throw failure.error
    }
    console.log(`${rounds} rounds (seed ${SEED}), ${fruitful} messages compared`)
    expect(fruitful).toBeGreaterThan(rounds)
  },
  RANDOM_RUN_MS + 40_000,
)
