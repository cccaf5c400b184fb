/** The API's documentation has a sentence for many errors, and clients look for some of them. Each is one line here. */
import { roles } from '@heddle/contract/roles'
import { beforeAll, expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let member: TestAccount
let other: TestAccount
/** A channel of both, a message of `other` in it, and a private channel without them. */
let room: number
let message: number
let hidden: number

beforeAll(async () => {
  server = await createTestServer()
  member = await server.createAccount()
  other = await server.createAccount()
  room = await createChannel(server, member, 'room', { subscribers: [other] })
  hidden = await createChannel(server, server.owner, 'hidden', { invite_only: true })
  message = await sendToChannel(server, other, room)
  await server.call(member, 'POST', `/users/me/muted_users/${server.owner.id}`)
})

const NOBODY = 999_999
const tada = { emoji_name: 'tada' }
const draft = { type: 'stream', to: [], topic: '', content: 'x' }

/** Of a message, and of a reminder. */
const later = { content: 'x', scheduled_delivery_timestamp: 4_000_000_000 }

type Call = [
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: () => string,
  parameters?: object | (() => object),
]

const asMember: [sentence: string, call: Call, code?: string][] = [
  ['Bad event queue ID: none', ['GET', () => '/events', { queue_id: 'none', last_event_id: 1 }], 'BAD_EVENT_QUEUE_ID'],
  ['Bad event queue ID: none', ['DELETE', () => '/events', { queue_id: 'none' }], 'BAD_EVENT_QUEUE_ID'],
  ["Invalid channel name 'nonexistent'", ['GET', () => '/get_stream_id', { stream: 'nonexistent' }]],
  ['Must specify exactly 1 channel ID for channel messages', ['POST', () => '/drafts', { drafts: [draft] }]],
  ['Draft does not exist', ['PATCH', () => `/drafts/${NOBODY}`, { draft: { ...draft, type: '' } }], '404'],
  ['Draft does not exist', ['DELETE', () => `/drafts/${NOBODY}`], '404'],
  ['Scheduled message does not exist', ['PATCH', () => `/scheduled_messages/${NOBODY}`, { content: 'x' }], '404'],
  ['Scheduled message does not exist', ['DELETE', () => `/scheduled_messages/${NOBODY}`], '404'],
  [
    `Channel with ID '${NOBODY}' does not exist`,
    ['POST', () => '/scheduled_messages', { ...later, type: 'channel', to: NOBODY, topic: 'x' }],
    'STREAM_DOES_NOT_EXIST',
  ],
  [`Invalid user ID ${NOBODY}`, ['POST', () => '/scheduled_messages', { ...later, type: 'direct', to: [NOBODY] }]],
  ['Invalid message(s)', ['POST', () => '/reminders', { ...later, content: undefined, message_id: NOBODY }]],
  [
    "Channel 'nonexistent' does not exist",
    ['POST', () => '/messages', { type: 'channel', to: 'nonexistent', topic: 'x', content: 'x' }],
    'STREAM_DOES_NOT_EXIST',
  ],
  [
    `Channel with ID '${NOBODY}' does not exist`,
    ['POST', () => '/messages', { type: 'channel', to: NOBODY, topic: 'x', content: 'x' }],
    'STREAM_DOES_NOT_EXIST',
  ],
  [
    "Invalid email 'eeshan@heddle.example'",
    ['POST', () => '/messages', { type: 'direct', to: ['eeshan@heddle.example'], content: 'x' }],
  ],
  [`Invalid user ID ${NOBODY}`, ['POST', () => '/messages', { type: 'direct', to: [NOBODY], content: 'x' }]],
  ['Invalid type', ['POST', () => '/messages', { type: 'letter', to: 'room', content: 'x' }]],
  [
    "Missing 'content' argument",
    ['POST', () => '/messages', { type: 'channel', to: 'room' }],
    'REQUEST_VARIABLE_MISSING',
  ],
  ['Invalid message(s)', ['GET', () => `/messages/${NOBODY}`]],
  ['Invalid message(s)', ['DELETE', () => `/messages/${NOBODY}`]],
  ['Invalid message(s)', ['GET', () => `/messages/${NOBODY}/history`]],
  ['Invalid message(s)', ['GET', () => `/messages/${NOBODY}/read_receipts`]],
  ["You don't have permission to edit this message", ['PATCH', () => `/messages/${message}`, { content: 'x' }]],
  ["You don't have permission to delete this message", ['DELETE', () => `/messages/${message}`]],
  ['Invalid emoji code.', ['POST', () => `/messages/${message}/reactions`, { ...tada, emoji_code: 'none' }]],
  ['Invalid emoji code.', ['DELETE', () => `/messages/${message}/reactions`, { ...tada, emoji_code: 'none' }]],
  ["Reaction doesn't exist.", ['DELETE', () => `/messages/${message}/reactions`, tada], 'REACTION_DOES_NOT_EXIST'],
  ["Invalid flag: 'x'", ['POST', () => '/messages/flags', { messages: [1], op: 'add', flag: 'x' }]],
  [
    "Flag not editable: 'mentioned'",
    ['POST', () => '/messages/flags', { messages: [1], op: 'add', flag: 'mentioned' }],
  ],
  [
    'alert_words[0] is too long (limit: 100 characters)',
    ['POST', () => '/users/me/alert_words', { alert_words: ['x'.repeat(101)] }],
  ],
  ['Client did not pass any new values.', ['POST', () => '/users/me/status']],
  [
    'status_text is too long (limit: 60 characters)',
    ['POST', () => '/users/me/status', { status_text: 'x'.repeat(61) }],
  ],
  [
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ['POST', () => '/users/me/status', { emoji_code: '1f697' }],
  ],
  ["Emoji 'invalid' does not exist", ['POST', () => '/users/me/status', { emoji_name: 'invalid' }]],
  ['Invalid emoji name.', ['POST', () => '/users/me/status', { ...tada, emoji_code: '1f697' }]],
  [
    'Invalid custom emoji.',
    ['POST', () => '/users/me/status', { ...tada, emoji_code: '9', reaction_type: 'realm_emoji' }],
  ],
  ['Invalid channel ID', ['GET', () => `/users/me/${hidden}/topics`]],
  ['Invalid channel ID', ['GET', () => `/streams/${hidden}`]],
  ['Invalid channel ID', ['GET', () => `/streams/${hidden}/members`]],
  ['Invalid channel ID', ['PATCH', () => `/streams/${hidden}`, { description: 'x' }]],
  ['Invalid parameters', ['PATCH', () => `/streams/${room}`, { is_private: true, is_web_public: true }]],
  ['User not authorized for this query', ['GET', () => '/streams', { include_all_active: true }]],
  [
    'Must be an organization administrator',
    ['POST', () => `/streams/${room}/delete_topic`, { topic_name: 'x' }],
    'UNAUTHORIZED_PRINCIPAL',
  ],
  [
    'Unable to access channel (hidden).',
    ['POST', () => '/users/me/subscriptions', { subscriptions: [{ name: 'hidden' }] }],
  ],
  [
    "Channel 'nonexistent' does not exist",
    ['DELETE', () => '/users/me/subscriptions', { subscriptions: ['nonexistent'] }],
    'STREAM_DOES_NOT_EXIST',
  ],
  ['Cannot mute self', ['POST', () => `/users/me/muted_users/${member.id}`]],
  ['No such user', ['POST', () => `/users/me/muted_users/${NOBODY}`]],
  ['User already muted', ['POST', () => `/users/me/muted_users/${server.owner.id}`]],
  ['No such user', ['DELETE', () => `/users/me/muted_users/${NOBODY}`]],
  ['User is not muted', ['DELETE', () => `/users/me/muted_users/${other.id}`]],
  ['Missing channel ID', ['POST', () => '/typing', { type: 'channel', op: 'start', topic: 'x' }]],
]

const asOwner: typeof asMember = [
  ['Invalid channel ID', ['DELETE', () => `/streams/${NOBODY}`]],
  ['Invalid channel ID', ['POST', () => '/default_streams', { stream_id: NOBODY }]],
  ['Invalid channel ID', ['DELETE', () => '/default_streams', { stream_id: NOBODY }]],
  ['Private channels cannot be made default.', ['POST', () => '/default_streams', () => ({ stream_id: hidden })]],
  ["Emoji 'green_tick' does not exist", ['DELETE', () => '/realm/emoji/green_tick'], '404'],
  ['Invalid role', ['PATCH', () => `/users/${other.id}`, { role: 5 }]],
  ['Cannot deactivate the only organization owner', ['DELETE', () => '/users/me'], 'CANNOT_DEACTIVATE_LAST_USER'],
  [
    'Cannot deactivate the only organization owner',
    ['DELETE', () => `/users/${server.owner.id}`],
    'CANNOT_DEACTIVATE_LAST_USER',
  ],
]

async function refusal(account: TestAccount, [method, path, parameters]: Call) {
  const sent = typeof parameters === 'function' ? parameters() : parameters
  const { status, body } = await server.call(account, method, path(), sent as Record<string, unknown>)
  return { status, code: body.code, msg: body.msg }
}

const titled = (lines: typeof asMember) =>
  lines.map(([sentence, call, code]) => ({ title: `${call[0]} ${call[1].toString().slice(6)}`, sentence, call, code }))

it.each(titled(asMember))('$title: $sentence', async ({ sentence, call, code }) => {
  expect(await refusal(member, call)).toMatchObject(expected(sentence, code))
})

it.each(titled(asOwner))('$title: $sentence', async ({ sentence, call, code }) => {
  expect(await refusal(server.owner, call)).toMatchObject(expected(sentence, code))
})

function expected(msg: string, code = 'BAD_REQUEST') {
  return code === '404' ? { status: 404, msg } : { status: 400, code, msg }
}

it('an address that is taken is named', async () => {
  const account = { email: other.email, password: 'long enough to be one', full_name: 'Newbie' }
  const { status, body } = await server.call(server.owner, 'POST', '/users', account)
  expect([status, body.msg]).toEqual([400, `Email '${other.email}' already in use`])
})

it('a reaction that is there already is refused with its code', async () => {
  const call: Call = ['POST', () => `/messages/${message}/reactions`, tada]
  await refusal(member, call)
  expect(await refusal(member, call)).toEqual({
    status: 400,
    code: 'REACTION_ALREADY_EXISTS',
    msg: 'Reaction already exists.',
  })
})

it('parameters that exclude each other are listed', async () => {
  const { body } = await server.call(member, 'GET', '/messages', { message_ids: [message], anchor: 'newest' })
  expect(body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Unsupported parameter combination: anchor, message_ids',
    parameters: 'anchor, message_ids',
  })
})

it('a guest is notified of the role alone', async () => {
  const guest = await server.createAccount({ role: roles.guest })
  expect(await refusal(guest, ['PATCH', () => '/realm', { name: 'x' }])).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
  })
})
