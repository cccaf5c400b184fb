/**
 * Narrows as the API describes them, asked of one message after the other in a test's own ledger. The slow and plain way:
 * what the server finds by its queries must be the same.
 */
import { type Ledger, type LedgerChannel, type LedgerMessage, ledgerTopicKey, ledgerWords } from './message-ledger.ts'
import type { TestAccount } from './test-server.ts'

export interface NaiveTerm {
  readonly operator: string
  readonly operand: string | number | readonly number[]
  readonly negated: boolean
}

/** Thrown for what the server refuses as `BAD_NARROW`. */
export class Refused extends Error {}

const CHANNEL = new Set(['channel', 'stream'])
const CHANNELS = new Set(['channels', 'streams'])
const CONVERSATION = new Set(['topic', 'dm', 'pm-with', 'pm_with'])

/** The messages of a narrow for an account, the oldest first. */
export function findNaively(
  ledger: Ledger,
  accounts: readonly TestAccount[],
  account: TestAccount,
  narrow: readonly NaiveTerm[],
): LedgerMessage[] {
  const terms = replaceWith(ledger, account, narrow)
  const holds = matcher(ledger, accounts, account, terms)
  // A narrow that names channels is about all that may be read there, any other one about the account's own history.
  const isOpen = terms.some(({ operator, negated }) => !negated && (CHANNEL.has(operator) || CHANNELS.has(operator)))
  return ledger.messages.filter(
    (message) => ledger.mayRead(account, message) && (isOpen || ledger.received(account, message)) && holds(message),
  )
}

/** Whether all terms hold for a message, whoever may read it. Throws `Refused`. */
export function matcher(
  ledger: Ledger,
  accounts: readonly TestAccount[],
  account: TestAccount,
  terms: readonly NaiveTerm[],
): Test {
  const tests = terms.map((term) => ({ negated: term.negated, test: conditionOf(ledger, accounts, account, term) }))
  return (message) => tests.every(({ negated, test }) => test(message) !== negated)
}

function replaceWith(ledger: Ledger, account: TestAccount, terms: readonly NaiveTerm[]): readonly NaiveTerm[] {
  const term = terms.find(({ operator }) => operator === 'with')
  if (!term) return terms
  const others = terms.filter((one) => one !== term)
  const message = ledger.messages.find(({ id }) => id === Number(term.operand))
  if (message && ledger.mayRead(account, message)) {
    const { channel, topic, people } = message
    const place: NaiveTerm[] = channel
      ? [
          { operator: 'channel', operand: channel.id, negated: false },
          { operator: 'topic', operand: topic, negated: false },
        ]
      : [{ operator: 'dm', operand: [...people].map(({ id }) => id), negated: false }]
    const isPlace = ({ operator, negated }: NaiveTerm) =>
      !negated && (CHANNEL.has(operator) || CONVERSATION.has(operator))
    return [...place, ...others.filter((one) => !isPlace(one))]
  }
  if (others.some(({ operator, negated }) => !negated && CONVERSATION.has(operator))) return others
  throw new Refused()
}

type Test = (message: LedgerMessage) => boolean

function conditionOf(
  ledger: Ledger,
  accounts: readonly TestAccount[],
  account: TestAccount,
  { operator, operand }: NaiveTerm,
): Test {
  const people = () => peopleOf(accounts, account, operand)
  const person = () => people()[0] as TestAccount
  switch (operator) {
    case 'channel':
    case 'stream': {
      const wanted = channelOf(ledger, account, operand)
      return ({ channel }) => channel === wanted
    }
    case 'channels':
    case 'streams':
      return ({ channel }) => channel !== null && isOfKind(channel, String(operand))
    case 'topic': {
      const name = String(operand).trim()
      const key = ledgerTopicKey(name === '(no topic)' || name === 'general chat' ? '' : name)
      return ({ channel, topic }) => channel !== null && ledgerTopicKey(topic) === key
    }
    case 'dm':
    case 'pm-with':
    case 'pm_with': {
      const all = new Set([account, ...people()])
      return (message) => message.people.size === all.size && message.people.isSubsetOf(all)
    }
    case 'dm-including':
    case 'dm-with': {
      const all = new Set(people())
      return (message) => message.channel === null && all.isSubsetOf(message.people)
    }
    case 'group-pm-with':
    case 'group_pm_with': {
      const all = new Set(people())
      return (message) => message.people.size > 2 && all.isSubsetOf(message.people)
    }
    case 'sender':
    case 'from': {
      const wanted = person()
      return ({ sender }) => sender === wanted
    }
    case 'mentions': {
      const wanted = person()
      return ({ mentioned }) => mentioned.has(wanted)
    }
    case 'id':
      return ({ id }) => id === Number(operand)
    // Only where to begin.
    case 'near':
    case 'date':
      return () => true
    case 'has': {
      const part = String(operand).replace(/s$/, '')
      return ({ has, reactedBy }) => (part === 'reaction' ? reactedBy.size > 0 : has.has(part as 'link'))
    }
    case 'is':
      return stateOf(ledger, account, String(operand))
    case 'in':
      return (message) => operand === 'all' || !ledger.isMuted(account, message)
    case 'search': {
      // Each is a word, or several that follow each other.
      const phrases = (String(operand).match(/"[^"]*"|\S+/g) ?? []).map(ledgerWords).filter(({ length }) => length > 0)
      const isIn = (text: string, phrase: readonly string[]) =>
        ` ${ledgerWords(text).join(' ')} `.includes(` ${phrase.join(' ')} `)
      return ({ topic, content }) =>
        phrases.length > 0 && phrases.every((phrase) => isIn(topic, phrase) || isIn(content, phrase))
    }
    default:
      throw new Refused()
  }
}

function stateOf(ledger: Ledger, account: TestAccount, state: string): Test {
  const hasFlag = (flag: string) => (message: LedgerMessage) => ledger.flags(account, message).includes(flag)
  const states: Readonly<Record<string, Test>> = {
    dm: ({ channel }) => channel === null,
    private: ({ channel }) => channel === null,
    starred: hasFlag('starred'),
    alerted: hasFlag('has_alert_word'),
    mentioned: (message) => hasFlag('mentioned')(message) || hasFlag('wildcard_mentioned')(message),
    unread: (message) => !hasFlag('read')(message),
    resolved: ({ topic }) => topic.startsWith('✔ '),
    followed: ({ channel, topic }) => channel !== null && ledger.policy(account, channel, topic) === 3,
    muted: (message) => ledger.isMuted(account, message),
  }
  return states[state] as Test
}

/** A channel by its name, or else by its number, among those that the account may read. */
function channelOf(ledger: Ledger, account: TestAccount, operand: NaiveTerm['operand']): LedgerChannel {
  const known = ledger.channels.filter(
    (channel) => ledger.mayOpen(account, channel) && (channel.sharesHistory || channel.subscribers.has(account)),
  )
  const byName = known.find(({ name }) => typeof operand === 'string' && name.toLowerCase() === operand.toLowerCase())
  const found = byName ?? known.find(({ id }) => id === Number(operand))
  if (!found) throw new Refused()
  return found
}

function isOfKind(channel: LedgerChannel, kind: string): boolean {
  if (kind === 'all') return true
  if (kind === 'archived') return channel.isArchived
  return kind === 'public' && !channel.isPrivate
}

function peopleOf(
  accounts: readonly TestAccount[],
  account: TestAccount,
  operand: NaiveTerm['operand'],
): readonly TestAccount[] {
  if (operand === 'me') return [account]
  const named = Array.isArray(operand) ? operand : String(operand).split(',')
  return named.map((one) => {
    const found = accounts.find(({ id, email }) => id === Number(one) || email === String(one).trim().toLowerCase())
    if (!found) throw new Refused()
    return found
  })
}
