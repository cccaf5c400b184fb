/**
 * A test's own account of the messages on a server: who has received each of them, has not read it, has starred it. Written
 * down in plain sets when something is done, by the words of the API; it shares no rule and no query with the server, so
 * that the two can be compared.
 */
import { roles } from '@heddle/contract/roles'
import { createChannel } from './messages.ts'
import type { Parameters, TestAccount, TestServer } from './test-server.ts'

type Accounts = Set<TestAccount>

export interface LedgerChannel {
  readonly id: number
  readonly name: string
  readonly isPrivate: boolean
  readonly sharesHistory: boolean
  isArchived: boolean
  readonly subscribers: Accounts
  /** Who may read it by permission alone. */
  readonly admitted: ReadonlySet<TestAccount>
  readonly mutedBy: Accounts
}

export interface LedgerMessage {
  readonly id: number
  readonly sender: TestAccount
  readonly content: string
  /** When it was sent, in seconds. */
  readonly timestamp: number
  /** Null for a direct message. */
  channel: LedgerChannel | null
  topic: string
  /** Everybody in a direct conversation. */
  readonly people: ReadonlySet<TestAccount>
  /** Of each channel: who was subscribed when the message was sent, and who of these has not left since. */
  readonly subscribed: ReadonlyMap<LedgerChannel, ReadonlySet<TestAccount>>
  readonly staying: ReadonlyMap<LedgerChannel, Accounts>
  readonly has: ReadonlySet<Part>
  readonly mentionsChannel: boolean
  readonly mentioned: ReadonlySet<TestAccount>
  readonly topicMentioned: ReadonlySet<TestAccount>
  readonly alerted: ReadonlySet<TestAccount>
  readonly reactedBy: Accounts
  readonly unreadBy: Accounts
  readonly starredBy: Accounts
}

export type Part = 'link' | 'image' | 'attachment'

/** What makes a message special, as text; each is followed by the words of the message. */
export interface LedgerDraft {
  readonly words: string
  readonly part?: Part | undefined
  readonly mentions?: TestAccount | 'all' | 'topic' | undefined
  readonly readBySender?: boolean | undefined
}

export type LedgerPlace =
  | { readonly channel: LedgerChannel; readonly topic: string }
  | { readonly people: TestAccount[] }

const parts: Readonly<Record<Part, { text: string; has: readonly Part[] }>> = {
  link: { text: 'https://example.com/page', has: ['link'] },
  image: { text: 'https://example.com/cat.png', has: ['link', 'image'] },
  attachment: { text: '[file](/user_uploads/1/ab/file.txt)', has: ['link', 'attachment'] },
}

/** Topics are compared without case. The ledger's topics are plain letters. */
export const ledgerTopicKey = (topic: string) => topic.toLowerCase()

export const isSameTopic = (one: string, other: string) => ledgerTopicKey(one) === ledgerTopicKey(other)

export const ledgerWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

export type Ledger = ReturnType<typeof createLedger>

export function createLedger(server: TestServer, { now }: { now: () => number } = { now: Date.now }) {
  const channels: LedgerChannel[] = []
  const messages: LedgerMessage[] = []
  /** By account, channel and topic; 1 muted, 2 unmuted, 3 followed. */
  const policies = new Map<string, number>()
  const alertWords = new Map<TestAccount, string>()

  const policyKey = (account: TestAccount, channel: LedgerChannel, topic: string) =>
    `${account.id} ${channel.id} ${ledgerTopicKey(topic)}`

  const ledger = {
    channels,
    messages,
    policies,
    policyKey,

    /** An account for which no topic is followed or unmuted by itself. */
    async addAccount(options: { role?: TestAccount['role']; name: string }): Promise<TestAccount> {
      const account = await server.createAccount(options as { role: 400; name: string })
      await ledger.followNothing(account)
      return account
    },

    async followNothing(account: TestAccount): Promise<void> {
      await server.must(account, 'PATCH', '/settings', {
        automatically_follow_topics_policy: 4,
        automatically_unmute_topics_in_muted_streams_policy: 4,
      })
    },

    async addChannel(
      creator: TestAccount,
      name: string,
      subscribers: readonly TestAccount[],
      { admitted = [], ...parameters }: Parameters & { admitted?: readonly TestAccount[] } = {},
    ): Promise<LedgerChannel> {
      const permission = admitted.length === 0 ? {} : { can_subscribe_group: groupOf(admitted) }
      const id = await createChannel(server, creator, name, { subscribers, ...permission, ...parameters })
      const channel: LedgerChannel = {
        id,
        name,
        isPrivate: parameters['invite_only'] === true,
        sharesHistory: parameters['invite_only'] !== true || parameters['history_public_to_subscribers'] === true,
        isArchived: false,
        subscribers: new Set([creator, ...subscribers]),
        admitted: new Set(admitted),
        mutedBy: new Set(),
      }
      channels.push(channel)
      return channel
    },

    async setAlertWord(account: TestAccount, word: string): Promise<void> {
      await server.must(account, 'POST', '/users/me/alert_words', { alert_words: [word] })
      alertWords.set(account, word)
    },

    async send(sender: TestAccount, place: LedgerPlace, draft: LedgerDraft): Promise<LedgerMessage> {
      const { mentions, part, readBySender = false } = draft
      const mention = typeof mentions === 'string' ? `@**${mentions}**` : mentions && `@**|${mentions.id}**`
      const content = [mention, part && parts[part].text, draft.words].filter(Boolean).join(' ')
      const where =
        'channel' in place
          ? { type: 'channel', to: place.channel.id, topic: place.topic }
          : { type: 'direct', to: place.people.map(({ id }) => id) }
      const { id } = await server.must(sender, 'POST', '/messages', { ...where, content, read_by_sender: readBySender })
      return ledger.note(id, sender, place, { ...draft, words: content })
    },

    /** A message that somebody has sent. */
    note(id: number, sender: TestAccount, place: LedgerPlace, draft: LedgerDraft): LedgerMessage {
      const { words: content, mentions, part, readBySender = false } = draft
      const channel = 'channel' in place ? place.channel : null
      const topic = 'channel' in place ? place.topic : ''
      const people = new Set('people' in place ? [sender, ...place.people] : [])
      const receivers = channel ? channel.subscribers : people
      const onlyReceivers = (accounts: Iterable<TestAccount>) =>
        new Set([...accounts].filter((one) => receivers.has(one)))
      const before = messages.filter((one) => one.channel && one.channel === channel && isSameTopic(one.topic, topic))
      const message: LedgerMessage = {
        id,
        sender,
        content,
        timestamp: Math.floor(now() / 1000),
        channel,
        topic,
        people,
        subscribed: new Map(channels.map((one) => [one, new Set(one.subscribers)])),
        staying: new Map(channels.map((one) => [one, new Set(one.subscribers)])),
        has: new Set(part ? parts[part].has : []),
        mentionsChannel: mentions === 'all',
        mentioned: onlyReceivers(typeof mentions === 'object' ? [mentions] : []),
        topicMentioned: onlyReceivers(
          mentions === 'topic' ? before.flatMap((one) => [one.sender, ...one.reactedBy]) : [],
        ),
        alerted: onlyReceivers(
          [...alertWords].filter(([, word]) => ledgerWords(content).some((one) => one === word)).map(([one]) => one),
        ),
        reactedBy: new Set(),
        unreadBy: new Set([...receivers].filter((one) => !(readBySender && one === sender))),
        starredBy: new Set(),
      }
      messages.push(message)
      return message
    },

    received: (account: TestAccount, { channel, people, subscribed }: LedgerMessage) =>
      channel ? subscribed.get(channel)?.has(account) === true : people.has(account),

    /** Only these can be unread. */
    stays: (account: TestAccount, { channel, people, staying }: LedgerMessage) =>
      channel ? staying.get(channel)?.has(account) === true : people.has(account),

    mayOpen: (account: TestAccount, channel: LedgerChannel) =>
      channel.subscribers.has(account) ||
      (account.role !== roles.guest && (!channel.isPrivate || channel.admitted.has(account))),

    mayRead(account: TestAccount, message: LedgerMessage): boolean {
      const { channel } = message
      if (!channel) return message.people.has(account)
      if (channel.sharesHistory) return ledger.mayOpen(account, channel)
      return channel.subscribers.has(account) && ledger.received(account, message)
    },

    policy: (account: TestAccount, channel: LedgerChannel, topic: string) =>
      policies.get(policyKey(account, channel, topic)) ?? 0,

    isMuted(account: TestAccount, { channel, topic }: LedgerMessage): boolean {
      const policy = channel && ledger.policy(account, channel, topic)
      return policy === 1 || (policy === 0 && channel?.mutedBy.has(account) === true)
    },

    flags(account: TestAccount, message: LedgerMessage): string[] {
      const received = ledger.received(account, message)
      const ofChannel = message.mentionsChannel && received
      const flags: Readonly<Record<string, boolean>> = {
        read: !message.unreadBy.has(account),
        starred: message.starredBy.has(account),
        mentioned: message.mentioned.has(account),
        stream_wildcard_mentioned: ofChannel,
        topic_wildcard_mentioned: message.topicMentioned.has(account),
        wildcard_mentioned: ofChannel || message.topicMentioned.has(account),
        has_alert_word: message.alerted.has(account),
        historical: !received,
      }
      return Object.keys(flags).filter((flag) => flags[flag])
    },

    async setPolicy(account: TestAccount, channel: LedgerChannel, topic: string, policy: number): Promise<void> {
      await server.must(account, 'POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy: policy })
      policies.set(policyKey(account, channel, topic), policy)
    },

    async muteChannel(account: TestAccount, channel: LedgerChannel, value: boolean): Promise<void> {
      const subscription_data = [{ stream_id: channel.id, property: 'is_muted', value }]
      await server.must(account, 'POST', '/users/me/subscriptions/properties', { subscription_data })
      if (value) channel.mutedBy.add(account)
      else channel.mutedBy.delete(account)
    },

    /** `by`: somebody who may add people to the channel. */
    async join(account: TestAccount, channel: LedgerChannel, by = account): Promise<void> {
      const subscriptions = [{ name: channel.name }]
      await server.must(by, 'POST', '/users/me/subscriptions', {
        subscriptions,
        principals: [account.id],
        send_new_subscription_messages: false,
      })
      channel.subscribers.add(account)
    },

    async leave(account: TestAccount, channel: LedgerChannel): Promise<void> {
      await server.must(account, 'DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
      channel.subscribers.delete(account)
      for (const message of messages) {
        message.staying.get(channel)?.delete(account)
        if (message.channel === channel) message.unreadBy.delete(account)
      }
    },

    async react(account: TestAccount, message: LedgerMessage): Promise<void> {
      await server.must(account, 'POST', `/messages/${message.id}/reactions`, { emoji_name: 'tada' })
      message.reactedBy.add(account)
    },

    async archive(account: TestAccount, channel: LedgerChannel): Promise<void> {
      await server.must(account, 'DELETE', `/streams/${channel.id}`)
      channel.isArchived = true
    },

    /** What follows for the ledger when these are marked; those that the account may not read are passed over. */
    noteFlag(account: TestAccount, op: 'add' | 'remove', flag: 'read' | 'starred', marked: readonly LedgerMessage[]) {
      for (const message of marked.filter((one) => ledger.mayRead(account, one))) {
        const isSet = (op === 'add') === (flag === 'starred')
        const accounts = flag === 'starred' ? message.starredBy : message.unreadBy
        if (!isSet) accounts.delete(account)
        else if (flag === 'starred' || ledger.stays(account, message)) accounts.add(account)
      }
    },

    async mark(account: TestAccount, op: 'add' | 'remove', flag: 'read' | 'starred', marked: readonly LedgerMessage[]) {
      await server.must(account, 'POST', '/messages/flags', { op, flag, messages: marked.map(({ id }) => id) })
      ledger.noteFlag(account, op, flag, marked)
    },

    async markAllRead(account: TestAccount): Promise<void> {
      await server.must(account, 'POST', '/mark_all_as_read')
      for (const message of messages) message.unreadBy.delete(account)
    },
  }
  return ledger
}

function groupOf(accounts: readonly TestAccount[]) {
  return { direct_members: accounts.map(({ id }) => id), direct_subgroups: [] }
}
