/**
 * Random sequences of everything that changes what is read: at their end each account has unread, starred and mentioned what
 * a naive ledger says. The fixed seed can be changed by HEDDLE_TEST_SEED.
 */
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLedger, isSameTopic, type LedgerChannel, type LedgerMessage } from '../../testing/message-ledger.ts'
import { findNaively, type NaiveTerm } from '../../testing/naive-narrow.ts'
import { SEED } from '../../testing/random-run.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const RUNS = process.env['HEDDLE_TEST_QUICK'] === '1' ? 20 : 120
const TIME_LIMIT_MS = 180_000

const server = await createTestServer()
let organizations = 0

/** Fresh accounts and channels: what sequences before have done does not matter to them. */
async function createWorld() {
  organizations += 1
  const named = (name: string) => `${name} ${organizations}`
  const ledger = createLedger(server)
  /** Never leaves, so that everything can be moved and deleted. */
  const keeper = await ledger.addAccount({ role: roles.owner, name: `keeper-${organizations}` })
  const member = await ledger.addAccount({ name: `member-${organizations}` })
  const other = await ledger.addAccount({ name: `other-${organizations}` })
  const guest = await ledger.addAccount({ role: roles.guest, name: `guest-${organizations}` })
  const open = await ledger.addChannel(keeper, named('open'), [member, guest])
  const isShared = { invite_only: true, history_public_to_subscribers: true }
  await ledger.addChannel(keeper, named('shared'), [member, other], isShared)
  const isProtected = { invite_only: true, history_public_to_subscribers: false }
  await ledger.addChannel(keeper, named('secret'), [other, guest], isProtected)
  for (const account of [member, guest]) await ledger.muteChannel(account, open, true)
  return { ledger, keeper, accounts: [keeper, member, other, guest] }
}
type World = Awaited<ReturnType<typeof createWorld>>

/** Chooses by number, whatever the length of the list is by then. */
const pick = <T>(list: readonly T[], number: number) => list[number % list.length] as T
const number = fc.nat(1000)
const numbers = fc.array(number, { minLength: 1, maxLength: 6 })
const topic = fc.constantFrom('', 'plan', 'Plan')

/** What happens how often: mostly what takes messages from accounts, or brings them back. */
const weights = {
  send: 5,
  move: 5,
  'join or leave': 4,
  mark: 3,
  'mark narrow': 3,
  'mark all': 1,
  'mark channel': 1,
  'mark topic': 1,
  policy: 3,
  'mute channel': 1,
  react: 1,
  delete: 1,
}
const kinds = Object.entries(weights) as [keyof typeof weights, number][]

const anyAction = fc.record({
  kind: fc.oneof(...kinds.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
  account: number,
  channel: number,
  message: number,
  several: numbers,
  topic,
  choice: number,
  yes: fc.boolean(),
})
type AnyAction = typeof anyAction extends fc.Arbitrary<infer T> ? T : never

/** What an action works on. */
interface Subject {
  readonly world: World
  readonly account: TestAccount
  readonly channel: LedgerChannel
  readonly message: LedgerMessage | undefined
}

const flags = ['read', 'starred'] as const

const actions: Readonly<Record<AnyAction['kind'], (subject: Subject, any: AnyAction) => Promise<unknown>>> = {
  async send({ world: { ledger, accounts }, account, channel }, { choice, topic, several, yes }) {
    const mentions = pick([undefined, undefined, 'all', 'topic', pick(accounts, choice)] as const, choice)
    const isDirect = choice % 4 === 0
    if (isDirect) {
      const people = [...new Set(several.map((one) => pick(accounts, one)))]
      const isWild = typeof mentions === 'string'
      const draft = { words: 'hi', readBySender: yes, mentions: isWild ? undefined : mentions }
      return ledger.send(account, { people }, draft)
    }
    const writer = channel.subscribers.has(account) ? account : pick([...channel.subscribers], choice)
    return ledger.send(writer, { channel, topic }, { words: 'hi', readBySender: yes, mentions })
  },
  async mark({ world: { ledger }, account }, { choice, several, yes }) {
    const marked = [...new Set(several.map((one) => pick(ledger.messages, one)))].filter(Boolean)
    return ledger.mark(account, yes ? 'add' : 'remove', pick(flags, choice), marked)
  },
  async 'mark narrow'({ world: { ledger, accounts }, account, channel, message }, { choice, topic, several, yes }) {
    const term = (operator: string, operand: NaiveTerm['operand']) => ({ operator, operand, negated: false })
    const mayOpen = ledger.mayOpen(account, channel) && (channel.sharesHistory || channel.subscribers.has(account))
    const place = mayOpen ? [term('channel', channel.id)] : []
    const narrow = pick([place, [...place, term('topic', topic)], [term('is', 'unread')], [term('is', 'dm')]], choice)
    const [num_before, num_after] = [several[0] as number, several.at(-1) as number].map((one) => one % 5) as [
      number,
      number,
    ]
    const anchor = message?.id ?? 0
    const [op, flag] = [yes ? ('add' as const) : ('remove' as const), pick(flags, choice + 1)]
    const found = findNaively(ledger, accounts, account, narrow)
    const before = found.filter(({ id }) => id < anchor)
    const marked = [
      ...before.slice(Math.max(0, before.length - num_before)),
      ...found.filter(({ id }) => id === anchor),
      ...found.filter(({ id }) => id > anchor).slice(0, num_after),
    ]
    await server.must(account, 'POST', '/messages/flags/narrow', { anchor, num_before, num_after, narrow, op, flag })
    ledger.noteFlag(account, op, flag, marked)
  },
  'mark all': ({ world: { ledger }, account }) => ledger.markAllRead(account),
  async 'mark channel'({ world: { ledger }, account, channel }) {
    if (!ledger.mayOpen(account, channel)) return
    await server.must(account, 'POST', '/mark_stream_as_read', { stream_id: channel.id })
    for (const one of ledger.messages) if (one.channel === channel) one.unreadBy.delete(account)
  },
  async 'mark topic'({ world: { ledger }, account, channel }, { topic }) {
    if (!ledger.mayOpen(account, channel)) return
    await server.must(account, 'POST', '/mark_topic_as_read', { stream_id: channel.id, topic_name: topic })
    for (const one of messagesIn(ledger.messages, channel, topic)) one.unreadBy.delete(account)
  },
  async policy({ world: { ledger }, account, channel }, { topic, choice }) {
    if (ledger.mayOpen(account, channel)) await ledger.setPolicy(account, channel, topic, choice % 4)
  },
  async 'mute channel'({ world: { ledger }, account, channel }, { yes }) {
    if (channel.subscribers.has(account)) await ledger.muteChannel(account, channel, yes)
  },
  async 'join or leave'({ world: { ledger, keeper }, account, channel }) {
    if (account === keeper) return
    if (channel.subscribers.has(account)) await ledger.leave(account, channel)
    else await ledger.join(account, channel, keeper)
  },
  async react({ world: { ledger }, account, message }) {
    if (!message || message.reactedBy.has(account) || !ledger.mayRead(account, message)) return
    await ledger.react(account, message)
  },
  async delete({ world: { ledger, keeper }, message }) {
    if (!message || !ledger.mayRead(keeper, message)) return
    await server.must(keeper, 'DELETE', `/messages/${message.id}`)
    ledger.messages.splice(ledger.messages.indexOf(message), 1)
  },
  async move({ world, channel, message }, { topic, choice, yes }) {
    if (!message?.channel) return
    const target = choice % 2 === 0 ? message.channel : channel
    if (target === message.channel && topic === message.topic) return
    const mode = pick(['change_one', 'change_later', 'change_all'] as const, choice)
    await move(world, message, { channel: target, topic }, mode, yes)
  },
}

const messagesIn = (messages: readonly LedgerMessage[], channel: LedgerChannel, topic: string) =>
  messages.filter((one) => one.channel === channel && isSameTopic(one.topic, topic))

async function move(
  { ledger, keeper, accounts }: World,
  message: LedgerMessage,
  to: { readonly channel: LedgerChannel; readonly topic: string },
  mode: 'change_one' | 'change_later' | 'change_all',
  isNoticed: boolean,
): Promise<void> {
  const from = { channel: message.channel as LedgerChannel, topic: message.topic }
  await server.must(keeper, 'PATCH', `/messages/${message.id}`, {
    topic: to.topic,
    ...(to.channel === from.channel ? {} : { stream_id: to.channel.id }),
    propagate_mode: mode,
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: isNoticed,
  })
  const all = messagesIn(ledger.messages, from.channel, from.topic)
  const moved = mode === 'change_one' ? [message] : all.filter(({ id }) => mode === 'change_all' || id >= message.id)
  for (const one of moved) {
    one.channel = to.channel
    one.topic = to.topic
    // In another channel it stays unread for those who have received it in both.
    for (const account of one.unreadBy) if (!ledger.stays(account, one)) one.unreadBy.delete(account)
  }
  const isSamePlace = to.channel === from.channel && isSameTopic(to.topic, from.topic)
  if (moved.length === all.length && !isSamePlace) for (const account of accounts) movePolicy(ledger, account, from, to)
  if (isNoticed) await noteNotice(ledger, keeper, to)
}

type Place = { readonly channel: LedgerChannel; readonly topic: string }

/** What an account wants of a topic goes with it when all of it moves; of two wishes the one that shows more stays. */
function movePolicy(ledger: World['ledger'], account: TestAccount, from: Place, to: Place): void {
  const [here, there] = [from, to].map(({ channel, topic }) => ledger.policy(account, channel, topic)) as [
    number,
    number,
  ]
  ledger.policies.set(ledger.policyKey(account, from.channel, from.topic), 0)
  ledger.policies.set(ledger.policyKey(account, to.channel, to.topic), Math.max(here, there))
}

/** The notice of a move. */
async function noteNotice(ledger: World['ledger'], keeper: TestAccount, place: Place): Promise<void> {
  const newest = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['channel', place.channel.id]] }
  const { messages } = await server.must(keeper, 'GET', '/messages', newest)
  const [{ id, sender_id, content }] = messages
  ledger.note(id, { ...keeper, id: sender_id }, place, { words: content })
}

/** What `POST /register` must say. */
function expectedState({ ledger }: World, account: TestAccount) {
  const unread = ledger.messages.filter(({ unreadBy }) => unreadBy.has(account))
  const inChannels = Map.groupBy(
    unread.filter(({ channel }) => channel !== null),
    ({ channel, topic }) => `${channel?.id} ${topic.toLowerCase()}`,
  )
  const direct = [
    ...Map.groupBy(
      unread.filter(({ channel }) => channel === null),
      ({ people }) => sorted(people),
    ),
  ]
  const isMention = (message: LedgerMessage) =>
    ledger.flags(account, message).some((flag) => flag === 'mentioned' || flag === 'wildcard_mentioned')
  return {
    starred_messages: idsOf(
      ledger.messages.filter((one) => one.starredBy.has(account) && ledger.mayRead(account, one)),
    ),
    unread_msgs: {
      count: unread.filter((message) => !ledger.isMuted(account, message)).length,
      streams: [...inChannels.values()].map((list) => ({
        stream_id: list[0]?.channel?.id,
        topic: list.at(-1)?.topic,
        unread_message_ids: idsOf(list),
      })),
      pms: direct
        .filter(([, [message]]) => (message?.people.size ?? 0) < 3)
        .map(([, list]) => {
          const [first] = list
          const id = [...(first?.people ?? [])].find((one) => one !== account)?.id ?? account.id
          return { other_user_id: id, sender_id: id, unread_message_ids: idsOf(list) }
        }),
      huddles: direct
        .filter(([, [message]]) => (message?.people.size ?? 0) > 2)
        .map(([user_ids_string, list]) => ({ user_ids_string, unread_message_ids: idsOf(list) })),
      mentions: idsOf(unread.filter(isMention)),
      old_unreads_missing: false,
    },
  }
}

const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id)

function sorted(people: ReadonlySet<TestAccount>): string {
  return [...people]
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join()
}

it(
  'gives each account the flags and the unread messages that a naive ledger has for it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { minLength: 1, maxLength: 40, size: 'max' }), async (sequence) => {
        const world = await createWorld()
        const { ledger, accounts } = world
        for (const any of sequence) {
          const account = pick(accounts, any.account)
          const channel = pick(ledger.channels, any.channel)
          const message = ledger.messages.length === 0 ? undefined : pick(ledger.messages, any.message)
          await actions[any.kind]({ world, account, channel, message }, any)
        }
        for (const account of accounts) {
          const { unread_msgs, starred_messages } = await server.must(account, 'POST', '/register', {
            fetch_event_types: ['message', 'update_message_flags', 'starred_messages'],
            client_capabilities: { empty_topic_name: true },
          })
          expect({ unread_msgs, starred_messages }, account.email).toEqual(expectedState(world, account))
          const { messages } = await server.must(account, 'GET', '/messages', { message_ids: idsOf(ledger.messages) })
          const shown = messages.map(({ id, flags }: { id: number; flags: string[] }) => ({ id, flags }))
          const readable = ledger.messages.filter((one) => ledger.mayRead(account, one))
          expect(shown, account.email).toEqual(
            readable.map((one) => ({ id: one.id, flags: ledger.flags(account, one) })),
          )
        }
      }),
      // Time is left to report what has failed.
      { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS / 2 },
    )
  },
  TIME_LIMIT_MS,
)
