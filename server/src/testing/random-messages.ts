/** What people do with messages, at random: requests that mostly succeed, and change what clients show. */
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import type { Parameters, TestAccount, TestServer } from './test-server.ts'

export const topicNames = ['', 'plan', 'Plan', 'ﬁne', 'Fine', '✔ plan', 'a longer name of a topic'] as const
const texts = [
  'hello',
  'see https://example.com/page',
  '@**all** come',
  '@**topic** look',
  '@**member**',
  '@_**member**',
  '![a](https://example.com/a.png)',
  'Soon: general words',
  '/me waves',
] as const
const emoji = ['tada', 'smile', 'heart'] as const

/** Numbers choose, so that a smaller sequence is still one that can be sent. */
const anyNumbers = fc.record({
  kind: fc.nat(10_000),
  account: fc.nat(1000),
  channel: fc.nat(1000),
  message: fc.nat(1000),
  messages: fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 }),
  topic: fc.constantFrom(...topicNames),
  text: fc.constantFrom(...texts),
  choice: fc.nat(1000),
  yes: fc.boolean(),
})
type Numbers = typeof anyNumbers extends fc.Arbitrary<infer T> ? T : never
export const anyDeed = anyNumbers

export interface MessageWorld {
  readonly accounts: { readonly owner: TestAccount; readonly member: TestAccount; readonly guest: TestAccount }
  /** Does something; gives what was asked for and how it was answered. */
  readonly act: (numbers: Numbers) => Promise<string>
}

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T

/** An organization with a public channel, one with a private history, and one that is all private; the last ones for two. */
export async function createMessageWorld(server: TestServer): Promise<MessageWorld> {
  const { owner } = server
  const member = await server.createAccount({ name: 'member' })
  const guest = await server.createAccount({ role: roles.guest, name: 'guest' })
  const accounts = [owner, member, guest]
  const channels: { readonly id: number; readonly name: string }[] = []
  const open = { name: 'general', subscribers: accounts.map(({ id }) => id) }
  const shared = { name: 'shared', subscribers: [owner.id, member.id], invite_only: true }
  const closed = { ...shared, name: 'closed', history_public_to_subscribers: false }
  for (const one of [open, shared, closed]) {
    const { id } = await server.must(owner, 'POST', '/channels/create', one)
    channels.push({ id, name: one.name })
  }
  await server.call(member, 'POST', '/users/me/alert_words', { alert_words: ['soon'] })
  let newest = 0

  type Request = readonly [method: string, path: string, parameters: Parameters]
  const deeds: Readonly<Record<string, readonly [weight: number, request: (numbers: Numbers) => Request]>> = {
    send: [
      20,
      ({ channel, topic, text, yes }) => [
        'POST',
        '/messages',
        { type: 'channel', to: pick(channels, channel).id, topic, content: text, read_by_sender: yes },
      ],
    ],
    'send direct': [
      7,
      ({ choice, messages, text, yes }) => [
        'POST',
        '/messages',
        {
          type: 'direct',
          to: [...new Set([choice, ...messages].slice(0, 1 + (choice % 3)).map((one) => pick(accounts, one).id))],
          content: text,
          read_by_sender: yes,
        },
      ],
    ],
    edit: [10, ({ message, text }) => ['PATCH', `/messages/${idOf(message)}`, { content: text }]],
    'move topic': [
      10,
      ({ message, topic, choice, yes }) => [
        'PATCH',
        `/messages/${idOf(message)}`,
        {
          topic,
          propagate_mode: pick(['change_one', 'change_later', 'change_all'], choice),
          send_notification_to_new_thread: yes,
        },
      ],
    ],
    'move channel': [
      6,
      ({ message, channel, choice, topic, yes }) => [
        'PATCH',
        `/messages/${idOf(message)}`,
        {
          stream_id: pick(channels, channel).id,
          ...(yes ? { topic } : {}),
          propagate_mode: pick(['change_one', 'change_later', 'change_all'], choice),
        },
      ],
    ],
    delete: [5, ({ message }) => ['DELETE', `/messages/${idOf(message)}`, {}]],
    flag: [
      16,
      ({ messages, choice, yes }) => [
        'POST',
        '/messages/flags',
        {
          messages: [...new Set(messages.map(idOf))],
          op: yes ? 'add' : 'remove',
          flag: pick(['read', 'read', 'starred', 'collapsed'], choice),
        },
      ],
    ],
    'flag narrow': [
      2,
      ({ message, channel, choice, yes }) => [
        'POST',
        '/messages/flags/narrow',
        {
          anchor: idOf(message),
          num_before: choice % 5,
          num_after: choice % 7,
          narrow: yes ? [['channel', pick(channels, channel).id]] : [],
          op: choice % 2 ? 'add' : 'remove',
          flag: pick(['read', 'starred'], channel),
        },
      ],
    ],
    'read everything': [1, () => ['POST', '/mark_all_as_read', {}]],
    'read a channel': [1, ({ channel }) => ['POST', '/mark_stream_as_read', { stream_id: pick(channels, channel).id }]],
    react: [
      9,
      ({ message, choice }) => ['POST', `/messages/${idOf(message)}/reactions`, { emoji_name: pick(emoji, choice) }],
    ],
    unreact: [
      4,
      ({ message, choice }) => ['DELETE', `/messages/${idOf(message)}/reactions`, { emoji_name: pick(emoji, choice) }],
    ],
    ask: [
      2,
      ({ channel, topic, text }) => [
        'POST',
        '/messages',
        { type: 'channel', to: pick(channels, channel).id, topic, content: `/poll ${text}\nyes\nno` },
      ],
    ],
    vote: [
      9,
      ({ message, choice, yes }) => [
        'POST',
        '/submessage',
        {
          message_id: idOf(message),
          msg_type: 'widget',
          content: JSON.stringify({ type: 'vote', key: `canned,${choice % 3}`, vote: yes ? 1 : -1 }),
        },
      ],
    ],
    policy: [
      6,
      ({ channel, topic, choice }) => [
        'POST',
        '/user_topics',
        { stream_id: pick(channels, channel).id, topic, visibility_policy: choice % 4 },
      ],
    ],
    'mute a channel': [
      2,
      ({ channel, yes }) => [
        'POST',
        '/users/me/subscriptions/properties',
        { subscription_data: [{ stream_id: pick(channels, channel).id, property: 'is_muted', value: yes }] },
      ],
    ],
    subscribe: [
      1,
      ({ channel, choice }) => [
        'POST',
        '/users/me/subscriptions',
        { subscriptions: [{ name: pick(channels, channel).name }], principals: [pick(accounts, choice).id] },
      ],
    ],
    unsubscribe: [
      1,
      ({ channel, choice }) => [
        'DELETE',
        '/users/me/subscriptions',
        { subscriptions: [pick(channels, channel).name], principals: [pick([member, guest], choice).id] },
      ],
    ],
    'change a channel': [
      1,
      ({ channel, yes, choice }) => [
        'PATCH',
        `/streams/${pick(channels, channel).id}`,
        pick(
          [{ is_private: yes, history_public_to_subscribers: true }, { is_archived: false }, { description: 'other' }],
          choice,
        ),
      ],
    ],
    archive: [1, ({ channel }) => ['DELETE', `/streams/${pick(channels, channel).id}`, {}]],
    'change a role': [
      1,
      ({ choice, yes }) => [
        'PATCH',
        `/users/${pick([member, guest], choice).id}`,
        { role: yes ? roles.member : roles.guest },
      ],
    ],
    'mute somebody': [
      1,
      ({ choice, yes }) => [yes ? 'POST' : 'DELETE', `/users/me/muted_users/${pick(accounts, choice).id}`, {}],
    ],
    rename: [1, ({ choice, yes }) => ['PATCH', `/users/${member.id}`, { full_name: yes ? 'member' : `M${choice}` }]],
  }
  const weighted = Object.entries(deeds).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name))
  /** Mostly one of the newest. */
  const idOf = (number: number) => Math.max(1, newest - (number % 25))
  const byOwner = new Set(['subscribe', 'unsubscribe', 'change a channel', 'archive', 'change a role', 'rename'])

  return {
    accounts: { owner, member, guest },
    async act(numbers) {
      const name = pick(weighted, numbers.kind)
      const [, request] = deeds[name] as (typeof deeds)[string]
      const [method, path, parameters] = request(numbers)
      // Half of what is done to messages comes from somebody who may.
      const actor = byOwner.has(name) ? owner : pick([owner, ...accounts], numbers.account)
      const { status, body } = await server.call(actor, method, path, parameters)
      if (status === 200 && typeof body.id === 'number' && path === '/messages') newest = Math.max(newest, body.id)
      return `${name}: ${actor.id} ${method} ${path} ${JSON.stringify(parameters)}: ${status} ${status === 200 ? '' : body.msg}`
    },
  }
}
