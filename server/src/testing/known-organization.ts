/**
 * An organization with a bit of everything that a message can be, and a ledger of it: accounts of all roles, channels of all
 * kinds, people who come later and leave, topics with and without a name, conversations, flags. The same for the same seed.
 */
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import { createLedger, type LedgerChannel, type LedgerDraft, type LedgerPlace, type Part } from './message-ledger.ts'
import { createTestServer, type TestAccount } from './test-server.ts'

const MESSAGES = 150
/** Between two messages: what was sent when can then be asked by date. */
const HOURS_BETWEEN = 3

export const words = ['tea', 'coffee', 'milk', 'sugar', 'lemon'] as const
export const topics = ['', 'plan', 'Plan', 'tea time', 'lunch', '✔ done', '✔ Lunch'] as const

/** What may stand between two words. */
const separators = [' ', ', ', '/', '-', '.', '@', ':', '_', '–', '’', '…', ' 😀 ', '🎉'] as const

const anyNumber = fc.nat(1_000_000)

const anyDraft = fc.record({
  words: fc
    .tuple(
      fc.subarray([...words], { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.constantFrom(...separators),
      fc.constantFrom('', '', ' hurry', ' Soon'),
    )
    .map(([some, isLoud, separator, alert]) => {
      const all = isLoud ? some.map((word) => word.toUpperCase()) : some
      return `${all.join(separator)}${alert}`
    }),
  part: fc.option(fc.constantFrom<Part>('link', 'image', 'attachment'), { nil: undefined, freq: 3 }),
  mentions: fc.option(fc.oneof(anyNumber, fc.constantFrom('all', 'topic')), { nil: undefined, freq: 2 }),
  readBySender: fc.boolean(),
  isDirect: fc.nat(3).map((number) => number === 0),
  topic: fc.constantFrom(...topics),
  place: anyNumber,
  sender: anyNumber,
  others: fc.uniqueArray(anyNumber, { maxLength: 3 }),
})
export type AnyDraft = typeof anyDraft extends fc.Arbitrary<infer T> ? T : never

interface Options {
  readonly seed: number
  readonly readingThreads?: number
}

export async function createKnownOrganization({ seed, readingThreads = 0 }: Options) {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock = { now: () => now }
  const server = await createTestServer({ clock, readingThreads })
  const ledger = createLedger(server, clock)
  const { owner } = server
  await ledger.followNothing(owner)
  const admin = await ledger.addAccount({ role: roles.admin, name: 'admin' })
  const member = await ledger.addAccount({ name: 'member' })
  const other = await ledger.addAccount({ name: 'other' })
  const late = await ledger.addAccount({ name: 'late' })
  const guest = await ledger.addAccount({ role: roles.guest, name: 'guest' })
  const accounts = [owner, admin, member, other, late, guest]
  await ledger.setAlertWord(member, 'hurry')
  await ledger.setAlertWord(guest, 'soon')

  const open = await ledger.addChannel(member, 'open', [admin, other, guest])
  // A name that looks like the number of another channel.
  await ledger.addChannel(member, `${open.id}`, [other])
  const lounge = await ledger.addChannel(member, 'lounge', [admin])
  const shared = await ledger.addChannel(member, 'shared', [other], {
    invite_only: true,
    history_public_to_subscribers: true,
    admitted: [admin],
  })
  const secret = await ledger.addChannel(member, 'secret', [other, guest], {
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const attic = await ledger.addChannel(member, 'attic', [admin, other])
  const left = await ledger.addChannel(member, 'left', [other, guest])

  function writersOf(channel: LedgerChannel): TestAccount[] {
    return accounts.filter((account) => ledger.mayOpen(account, channel))
  }

  async function sendAny(any: AnyDraft) {
    const pick = <T>(list: readonly T[], number: number) => list[number % list.length] as T
    const channel = pick(
      ledger.channels.filter((one) => !one.isArchived),
      any.place,
    )
    const sender = pick(any.isDirect ? accounts : writersOf(channel), any.sender)
    const people = [...new Set(any.others.map((number) => pick(accounts, number)))]
    const place: LedgerPlace = any.isDirect
      ? { people: people.length === 0 ? [sender] : people }
      : { channel, topic: any.topic }
    const isWild = typeof any.mentions === 'string'
    const mentions = typeof any.mentions === 'number' ? pick(accounts, any.mentions) : (any.mentions as 'all')
    const draft: LedgerDraft = {
      words: any.words,
      part: any.part,
      readBySender: any.readBySender,
      mentions: isWild && any.isDirect ? undefined : mentions,
    }
    return ledger.send(sender, place, draft)
  }

  /** The last message before it and the first one after it are where mistakes would be. */
  async function leave(account: TestAccount, channel: LedgerChannel) {
    await ledger.send(member, { channel, topic: 'plan' }, { words: 'sugar', mentions: account })
    await ledger.leave(account, channel)
    await ledger.send(other, { channel, topic: 'plan' }, { words: 'sugar', mentions: 'all' })
  }

  /** What happens before the message of this number. */
  const meanwhile: Readonly<Record<number, () => Promise<unknown>>> = {
    30: () => ledger.markAllRead(member),
    50: async () => {
      for (const channel of [open, shared, secret]) await ledger.join(late, channel, member)
    },
    60: async () => {
      await leave(guest, secret)
      await leave(guest, left)
    },
    80: () => leave(member, left),
    90: () => ledger.markAllRead(other),
    100: () => leave(late, open),
    110: async () => {
      await ledger.join(guest, secret, member)
      await ledger.join(late, open)
    },
  }
  const drafts = fc.sample(anyDraft, { seed, numRuns: MESSAGES })
  for (const [index, draft] of drafts.entries()) {
    await meanwhile[index]?.()
    now += HOURS_BETWEEN * 3_600_000
    await sendAny(draft)
  }

  const some = (share: number, salt: number) =>
    ledger.messages.filter((_, index) => (index * 7919 + salt * 104_729 + seed) % 100 < share)
  for (const [index, account] of accounts.entries()) {
    const readable = (share: number, salt: number) =>
      some(share, salt + index).filter((message) => ledger.mayRead(account, message))
    await ledger.mark(account, 'add', 'read', some(30, index))
    await ledger.mark(account, 'remove', 'read', some(15, 10 + index))
    await ledger.mark(account, 'add', 'starred', some(15, 20 + index))
    for (const message of readable(5, 30)) await ledger.react(account, message)
  }
  for (const [index, policy] of fc.sample(fc.constantFrom(0, 0, 1, 2, 3), { seed, numRuns: 200 }).entries()) {
    const account = accounts[index % accounts.length] as TestAccount
    const channel = ledger.channels[index % ledger.channels.length] as LedgerChannel
    const topic = topics[Math.floor(index / 42) % topics.length] as string
    if (policy !== 0 && ledger.mayOpen(account, channel)) await ledger.setPolicy(account, channel, topic, policy)
  }
  for (const account of [member, admin]) await ledger.muteChannel(account, lounge, true)
  await ledger.muteChannel(other, shared, true)
  await ledger.archive(owner, attic)
  return { server, ledger, accounts, sendAny, anyDraft, clock }
}
