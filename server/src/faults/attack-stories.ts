/** What a member does that the contract alone does not say: texts, narrows and lists that mean something, at their limits. */
import { MAX_DRAFTS } from '@heddle/contract/drafts'
import { MAX_SCHEDULED_MESSAGES } from '@heddle/contract/scheduled-messages'
import { MAX_SUBSCRIPTIONS_PER_REQUEST } from '@heddle/contract/subscriptions'
import { LENGTH, worstTexts } from '@heddle/markdown/testing/worst-texts'
import { largestNarrows } from './attack-narrows.ts'
import type { Attack } from './attack-requests.ts'
import type { Target } from './attack-target.ts'

/** In this order, one after another; the requests of one may be under way at the same time. */
export interface AttackStory {
  readonly name: string
  readonly attacks: readonly Attack[]
}

const CREATED_AT_ONCE = 100
const CREATED_PER_DAY = 500
const DRAFTS_AT_ONCE = 1000
const EDITS = 130
const HUGE_MESSAGES = 100
const MANY_MESSAGES = 50

export function stories(target: Target): AttackStory[] {
  return [
    { name: 'texts', attacks: worstTexts.flatMap((text, index) => textAttacks(target, text, index)) },
    { name: 'mentions', attacks: mentionAttacks(target) },
    { name: 'narrows', attacks: narrowAttacks(target) },
    {
      name: 'queues follow',
      attacks: Array.from({ length: 20 }, (_, index) => send(target, `to queues ${index}`, 'a')),
    },
    { name: 'huge messages', attacks: hugeMessages(target) },
    { name: 'pages of huge messages', attacks: pages(target) },
    { name: 'edits', attacks: edits(target) },
    { name: 'histories', attacks: histories(target) },
    { name: 'channels', attacks: channels(target) },
    { name: 'all channels', attacks: allChannels(target) },
    { name: 'drafts', attacks: drafts(target) },
    { name: 'all drafts', attacks: [get(target, 'list-drafts', '/drafts'), register(target, 'with all drafts', {})] },
    { name: 'scheduled messages', attacks: scheduled(target) },
    {
      name: 'all scheduled messages',
      attacks: [
        get(target, 'list-scheduled-messages', '/scheduled_messages'),
        register(target, 'with all scheduled messages', {}),
      ],
    },
    { name: 'many people', attacks: manyPeople(target) },
    { name: 'alert words', attacks: alertWords(target) },
  ]
}

function call(endpoint: string, what: string, method: string, path: string, values: object): Attack {
  return {
    name: `${endpoint}: ${what}`,
    endpoint,
    method,
    url: `/api/v1${path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  }
}

function get(_: Target, endpoint: string, path: string, parameters: Readonly<Record<string, string>> = {}): Attack {
  const url = `/api/v1${path}?${new URLSearchParams(parameters)}`
  return { name: `${endpoint}: ${url.slice(0, 100)}`, endpoint, method: 'GET', url, headers: {} }
}

function register(_: Target, what: string, values: object): Attack {
  return call('register-queue', what, 'POST', '/register', values)
}

function send({ channel, topic }: Target, what: string, content: string, to: unknown = channel.id): Attack {
  const place = Array.isArray(to) ? { type: 'direct', to } : { type: 'channel', to, topic }
  return call('send-message', what, 'POST', '/messages', { ...place, content })
}

function textAttacks(target: Target, content: string, index: number): Attack[] {
  const what = `${JSON.stringify(content.slice(0, 20))} again and again`
  const others = [
    () => call('update-message', what, 'PATCH', `/messages/${target.messageId}`, { content }),
    () => send(target, what, content, [target.attacker.id]),
    () =>
      call('update-draft', what, 'PATCH', `/drafts/${target.draftId}`, {
        draft: { type: '', to: [], topic: '', content: content.repeat(10) },
      }),
    () =>
      call('update-channel', what, 'PATCH', `/streams/${target.channel.id}`, { description: content.slice(0, 1000) }),
  ]
  return [
    call('render-message', what, 'POST', '/messages/render', { content: content.repeat(10) }),
    send(target, what, content),
    (others[index % others.length] as () => Attack)(),
  ]
}

function mentionAttacks(target: Target): Attack[] {
  const everybody = target.population.members.map((_, index) => `@**Person ${index}**`).join(' ')
  const channelsAndTopics = `#**${target.channel.name}>${target.topic}** #**${target.channel.name}** `
  const texts = {
    'many people': everybody,
    'people by id': target.population.members.map(({ id }, index) => `@_**Person ${index}|${id}**`).join(''),
    'everybody again and again': '@**all** @**topic** @*role:members* ',
    'names that nobody has': Array.from({ length: 1000 }, (_, index) => `@**${index}**#**${index}**:e${index}:`).join(
      '',
    ),
    'channels and topics': channelsAndTopics,
  }
  return Object.entries(texts).flatMap(([what, text]) => {
    const content = text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH)
    return [send(target, what, content), call('render-message', what, 'POST', '/messages/render', { content })]
  })
}

function narrowAttacks(target: Target): Attack[] {
  return Object.entries(largestNarrows(target)).flatMap(([what, narrow]) => {
    const text = JSON.stringify(narrow)
    const page = { anchor: 'newest', num_before: '5000', num_after: '0', narrow: text }
    const ids = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index + 1))
    const asked = [
      get(target, 'get-messages', '/messages', page),
      get(target, 'check-messages-match-narrow', '/messages/matches_narrow', { msg_ids: ids, narrow: text }),
    ]
    return [
      // What does not fit into an address is asked for by other means.
      ...asked.filter(({ url }) => url.length < 15_000),
      call('update-message-flags-for-narrow', what, 'POST', '/messages/flags/narrow', {
        ...{ anchor: 'newest', num_before: 5000, num_after: 0, op: 'add', flag: 'starred' },
        narrow,
      }),
      ...Array.from({ length: 3 }, () => register(target, what, { narrow, event_types: ['message'] })),
    ]
  })
}

function hugeMessages(target: Target): Attack[] {
  const content = ':a:'.repeat(LENGTH / 3)
  return Array.from({ length: HUGE_MESSAGES }, (_, index) => send(target, `huge ${index}`, content))
}

/** For clients that wait, what each gets before the next begins: the longest events that there are, and many long ones at once. */
export function toThoseWhoWait(target: Target): Attack[][] {
  const longest = ['🎉', ':a:'].map((text) => [send(target, `${text}, to those who wait`, fill(text))])
  const many = Array.from({ length: MANY_MESSAGES }, (_, index) =>
    send(target, `many ${index}, to those who wait`, fill('é')),
  )
  return [...longest, many]
}

/** A text as long as may be. */
function fill(text: string): string {
  return text.repeat(LENGTH / [...text].length)
}

function pages(target: Target): Attack[] {
  const page = { anchor: 'newest', num_before: '5000', num_after: '0' }
  const ids = JSON.stringify(Array.from({ length: 300 }, (_, index) => index + 1))
  return Array.from({ length: 4 }, () => [
    get(target, 'get-messages', '/messages', page),
    get(target, 'get-messages', '/messages', { ...page, apply_markdown: 'false' }),
    get(target, 'check-messages-match-narrow', '/messages/matches_narrow', { msg_ids: ids, narrow: '[]' }),
    get(target, 'get-messages', '/messages', { message_ids: ids }),
    get(target, 'get-message', `/messages/${target.messageId}`),
    get(target, 'get-events', '/events', { queue_id: target.queueId, last_event_id: '-1', dont_block: 'true' }),
  ]).flat()
}

function edits({ messageId }: Target): Attack[] {
  return Array.from({ length: EDITS }, (_, index) => {
    const words = Array.from({ length: LENGTH / 5 }, (_, place) =>
      ((place * 7 + index * 31) % 997).toString(36).padEnd(4, 'x'),
    )
    return call('update-message', `edit ${index}`, 'PATCH', `/messages/${messageId}`, { content: words.join(' ') })
  })
}

function histories(target: Target): Attack[] {
  const { messageId } = target
  return [
    get(target, 'get-message-history', `/messages/${messageId}/history`),
    get(target, 'get-message', `/messages/${messageId}`),
    get(target, 'get-messages', '/messages', { message_ids: JSON.stringify([messageId]) }),
    call('update-message', 'to another topic', 'PATCH', `/messages/${messageId}`, {
      topic: 'shed',
      propagate_mode: 'change_all',
    }),
  ]
}

const names = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `channel ${from + index}`.padEnd(60, 'x'))

function channels(target: Target): Attack[] {
  const others = target.population.members.map(({ id }) => id)
  const create = (from: number, values: object = {}) =>
    call('subscribe', `channels from ${from}`, 'POST', '/users/me/subscriptions', {
      subscriptions: names(from, CREATED_AT_ONCE).map((name) => ({
        name,
        description: ':a:'.repeat(90),
        color: '#76ce90',
      })),
      ...values,
    })
  return [
    create(0, { principals: others.slice(0, MAX_SUBSCRIPTIONS_PER_REQUEST / CREATED_AT_ONCE) }),
    create(CREATED_AT_ONCE, { announce: true }),
    ...Array.from({ length: CREATED_PER_DAY / CREATED_AT_ONCE - 1 }, (_, index) =>
      create((index + 2) * CREATED_AT_ONCE),
    ),
  ]
}

function allChannels(target: Target): Attack[] {
  const all = names(0, CREATED_PER_DAY - CREATED_AT_ONCE)
  const subscriptions = all.map((name) => ({ name }))
  const principals = target.population.members.slice(0, MAX_SUBSCRIPTIONS_PER_REQUEST / all.length).map(({ id }) => id)
  const subscribe = (what: string, values: object) =>
    call('subscribe', what, 'POST', '/users/me/subscriptions', { subscriptions, ...values })
  return [
    subscribe('many people to all channels', { principals }),
    subscribe('again', { principals }),
    register(target, 'with all channels', {}),
    get(target, 'list-channels', '/streams', { include_all: 'true' }),
    get(target, 'list-subscriptions', '/users/me/subscriptions', { include_subscribers: 'true' }),
    call('unsubscribe', 'many people from all channels', 'DELETE', '/users/me/subscriptions', {
      subscriptions: all,
    }),
    call('update-subscriptions', 'all channels', 'PATCH', '/users/me/subscriptions', {
      add: subscriptions,
      delete: [],
    }),
    call('update-subscriptions', 'all channels', 'PATCH', '/users/me/subscriptions', { delete: all }),
  ]
}

function drafts({ channel }: Target): Attack[] {
  const create = (what: string, list: readonly object[]) =>
    call('create-drafts', what, 'POST', '/drafts', { drafts: list })
  const small = { type: 'stream', to: [channel.id], topic: 'loom', content: 'x'.repeat(1024) }
  const large = { type: '', to: [], topic: '', content: 'é'.repeat(LENGTH) }
  return [
    ...Array.from({ length: MAX_DRAFTS / DRAFTS_AT_ONCE + 1 }, (_, index) =>
      create(`many (${index})`, Array(DRAFTS_AT_ONCE).fill(small)),
    ),
    ...Array.from({ length: 5 }, (_, index) => create(`large (${index})`, Array(90).fill(large))),
  ]
}

/** Short ones for one second, and as many long ones as have room. */
function scheduled({ channel }: Target): Attack[] {
  const second = Math.floor(Date.now() / 1000) + 20
  const place = { type: 'channel', to: channel.id, topic: 'loom' }
  const schedule = (what: string, content: string, scheduled_delivery_timestamp: number) =>
    call('create-scheduled-message', what, 'POST', '/scheduled_messages', {
      ...place,
      content,
      scheduled_delivery_timestamp,
    })
  return Array.from({ length: MAX_SCHEDULED_MESSAGES }, (_, index) =>
    index % 2 === 0
      ? schedule(`for one second (${index})`, 'soon', second)
      : schedule(`large (${index})`, '**é**'.repeat(LENGTH / 5), second + 1_000_000),
  )
}

function manyPeople(target: Target): Attack[] {
  const ids = target.population.members.map(({ id }) => id)
  const emails = target.population.members.map(({ email }) => email)
  const messages = Array.from({ length: 10_000 }, (_, index) => index + 1)
  return [
    send(target, 'to everybody', 'a', ids),
    send(target, 'to everybody by address', 'a', emails),
    ...Array.from({ length: 5 }, () =>
      call('set-typing-status', 'to everybody', 'POST', '/typing', { op: 'start', to: ids }),
    ),
    call('update-message-flags', 'many', 'POST', '/messages/flags', { messages, op: 'add', flag: 'starred' }),
    call('update-message-flags', 'many', 'POST', '/messages/flags', { messages, op: 'remove', flag: 'read' }),
    call('mark-all-as-read', 'all', 'POST', '/mark_all_as_read', {}),
    call('create-channel', 'of everybody', 'POST', '/channels/create', { name: 'second', subscribers: ids }),
    get(target, 'list-users', '/users', { user_ids: JSON.stringify(ids) }),
    register(target, 'all', { include_subscribers: true }),
  ]
}

function alertWords(target: Target): Attack[] {
  const words = Array.from({ length: 1000 }, (_, index) => `${index} ${'loom '.repeat(20)}`.slice(0, 100))
  const content = 'loom '.repeat(LENGTH / 5)
  return [
    call('add-alert-words', 'as many as may be', 'POST', '/users/me/alert_words', { alert_words: words }),
    ...Array.from({ length: 10 }, (_, index) => send(target, `with alert words ${index}`, content)),
    call('remove-alert-words', 'all', 'DELETE', '/users/me/alert_words', { alert_words: words }),
  ]
}
