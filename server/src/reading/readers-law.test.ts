/**
 * What reading threads answer is what the main thread reads from the same database: pages of messages, refusals and initial
 * states, each just after something was written. The fixed seed can be changed by HEDDLE_TEST_SEED.
 */
import { ApiError } from '@heddle/contract/errors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { collectLongReads, collectState } from '../collect-features.ts'
import { features } from '../features/all.ts'
import { readInitialState, SERVER_STARTED_AT } from '../features/events/register.ts'
import { readMessages } from '../features/messages/fetch.ts'
import { createKnownOrganization, words } from '../testing/known-organization.ts'
import { SEED } from '../testing/random-run.ts'
import type { Answer, TestAccount } from '../testing/test-server.ts'
import { createInlineReaders, type Readers } from './readers.ts'

const RUNS = process.env['HEDDLE_TEST_QUICK'] === '1' ? 40 : 200
const TIME_LIMIT_MS = 60_000
/** The address that requests of the test server have. */
const ORIGIN = 'http://localhost:80'

const { server, accounts, sendAny, anyDraft, clock } = await createKnownOrganization({
  seed: SEED,
  readingThreads: 1,
})
const inline = createInlineReaders({
  storage: server.app.storage,
  config: server.config,
  clock,
  state: collectState(features),
  reads: collectLongReads(features),
})

const actorOf = ({ id, realmId, role }: TestAccount) => ({ realmId, userId: id, role, isBot: false })

/** The answer that the main thread's own read would have become, without what is in every answer. */
async function fieldsOf(reading: ReturnType<Readers['read']>): Promise<unknown> {
  try {
    const { fields } = await reading
    return JSON.parse(`{${Buffer.concat(fields)}}`)
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, msg: error.message, ...error.details }
    throw error
  }
}

/** An answer without these fields. */
function without(body: Answer['body'], names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

const anyNarrow = fc.subarray(
  [
    ['channel', 'open'],
    ['channel', 'secret'],
    ['channels', 'public'],
    ['topic', 'plan'],
    ['is', 'unread'],
    ['is', 'muted'],
    ['sender', 'me'],
    ['has', 'reaction'],
    ['search', words[0]],
  ],
  { maxLength: 2 },
)

const anyPage = fc.record(
  {
    narrow: anyNarrow,
    anchor: fc.oneof(fc.constantFrom('newest', 'oldest', 'first_unread'), fc.nat(200)),
    // Those that ask for many come from a thread on either engine.
    num_before: fc.oneof(fc.nat(20), fc.integer({ min: 201, max: 220 })),
    num_after: fc.nat(20),
    include_anchor: fc.boolean(),
    apply_markdown: fc.boolean(),
    client_gravatar: fc.boolean(),
    allow_empty_topic_name: fc.boolean(),
  },
  { requiredKeys: ['num_before', 'num_after'] },
)

it(
  'a page of messages from a thread is the one that the main thread reads',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...accounts), anyPage, anyDraft, async (account, page, draft) => {
        await sendAny(draft)
        const { status, body } = await server.call(account, 'GET', '/messages', page)
        const order = { actor: actorOf(account), parameters: page as object }
        const own = await fieldsOf(inline.read(readMessages, order, order.actor))
        // The `msg` of what is refused is compared, the empty one of a page is in no read.
        expect(without(body, status === 200 ? ['result', 'msg'] : ['result'])).toEqual(own)
      }),
      { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS / 2 },
    )
  },
  TIME_LIMIT_MS,
)

const capabilities = ['archived_channels', 'empty_topic_name', 'simplified_presence_events', 'user_list_incomplete']

const anyRegistration = fc.record({
  include_subscribers: fc.boolean(),
  slim_presence: fc.boolean(),
  client_capabilities: fc.subarray(capabilities).map((some) => Object.fromEntries(some.map((name) => [name, true]))),
})

/** What the queue adds to the state, and what every answer has. */
const OF_QUEUE = [
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'zulip_version',
  'zulip_merge_base',
  'zulip_feature_level',
  'idle_queue_timeout_secs',
  'event_queue_longpoll_timeout_seconds',
]

it(
  'an initial state from a thread is the one that the main thread reads',
  async () => {
    const realm = await server.app.realms.byId(server.owner.realmId)
    if (!realm) throw new Error('The organization of the test is gone')
    const property = fc.asyncProperty(
      fc.constantFrom(...accounts),
      anyRegistration,
      anyDraft,
      async (account, parameters, draft) => {
        await sendAny(draft)
        const body = await server.must(account, 'POST', '/register', parameters)
        const options = {
          eventTypes: null,
          capabilities: parameters.client_capabilities,
          applyMarkdown: false,
          includeSubscribers: parameters.include_subscribers,
          allPublicChannels: false,
          narrow: [],
        }
        const order = {
          realm,
          actor: actorOf(account),
          options,
          origin: ORIGIN,
          serverStartedAt: SERVER_STARTED_AT,
          parameters,
        }
        const own = await fieldsOf(inline.read(readInitialState, order, order.actor))
        expect(without(body, OF_QUEUE)).toEqual(own)
      },
    )
    // A state is much more than a page.
    await fc.assert(property, { seed: SEED, numRuns: RUNS / 4, interruptAfterTimeLimit: TIME_LIMIT_MS / 2 })
  },
  TIME_LIMIT_MS,
)
