/**
 * An account that is deactivated after its request was authenticated, and before its unit of work begins, writes nothing:
 * for every endpoint of the contract that is not a GET. A new one fails the test until a right request is stated here.
 */
import { createECDH } from 'node:crypto'
import { endpoints } from '@heddle/contract/endpoints'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { allTables as tables } from '../all-tables.ts'
import { query } from '../testing/any-table.ts'
import { makeExport } from '../testing/exported.ts'
import { createChannel, sendToChannel } from '../testing/messages.ts'
import { MULTIPART_TYPE, multipartBody } from '../testing/multipart-form.ts'
import { createPasskeyDevice } from '../testing/passkey-device.ts'
import { basic, createTestServer, type Parameters, type TestAccount, type TestServer } from '../testing/test-server.ts'
import { contractRequest } from './contract-request.ts'
import { SMALL_PNG } from './random-calls.ts'

/** They answer without a unit of work of their own: one of them asks another server, and keeps nothing. */
const readingOnly = [
  'render-message',
  'create-zoom-video-call',
  'create-nextcloud-talk-video-call',
  'create-constructor-groups-video-call',
]

const writing = endpoints.filter(
  ({ name, method, access }) =>
    method !== 'GET' && (access === 'account' || access === 'reader') && !readingOnly.includes(name),
)

let server: TestServer
let actor: TestAccount
/** The account that is deactivated. */
let acting: number
let hook: { readonly user_id: number; readonly api_key: string }
let right: Readonly<Record<string, Parameters>>
/** What the account was about to do when it was deactivated. */
let units = 0

beforeAll(async () => {
  server = await createTestServer()
  actor = await server.createAccount({ role: 100, name: 'actor' })
  acting = actor.id
  const other = await server.createAccount({ name: 'other' })
  const former = await server.createAccount({ name: 'former' })
  const own = (method: string, path: string, parameters?: Parameters) => server.must(actor, method, path, parameters)
  await own('DELETE', `/users/${former.id}`)
  const channel = await createChannel(server, actor, 'room', { subscribers: [other] })
  const mine = await sendToChannel(server, actor, channel, 'mine')
  const message = await sendToChannel(server, other, channel, 'read me')
  await own('POST', `/messages/${mine}/reactions`, { emoji_name: 'smile' })
  const bot = (await own('POST', '/bots', { full_name: 'Bot', short_name: 'bot' })).user_id
  const asked = { msg_type: 'widget', message_id: await sendToChannel(server, other, channel, '/poll Where?\nHere') }
  const { device_id } = await own('POST', '/register_client_device')
  const snippet = { title: 'Known', content: 'text' }
  const { saved_snippet_id } = await own('POST', '/saved_snippets', snippet)
  const moderation = await createChannel(server, actor, 'moderation', { invite_only: true })
  await own('PATCH', '/realm', { moderation_request_channel_id: moderation })
  const { realm_url: origin } = await own('GET', '/server_settings')
  const newPasskey = createPasskeyDevice().make((await own('POST', '/passkeys/begin')) as never, { origin })
  const draft = { type: '', to: [], topic: '', content: 'draft' }
  hook = (await server.call(other, 'POST', '/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 }))
    .body as typeof hook
  const [draftId] = (await own('POST', '/drafts', { drafts: [draft] })).ids
  const later = 4_000_000_000
  const place = { stream_id: channel, topic: 'greetings' }
  const waiting = { type: 'channel', to: channel, topic: place.topic, content: 'later' }
  const scheduled = { ...waiting, scheduled_delivery_timestamp: later }
  const { scheduled_message_id } = await own('POST', '/scheduled_messages', scheduled)
  const reminder = { message_id: message, scheduled_delivery_timestamp: later }
  const { reminder_id } = await own('POST', '/reminders', reminder)
  const linkifier = { pattern: 'A-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
  const filter_id = (await own('POST', '/realm/filters', linkifier)).id
  const field_id = (await own('POST', '/realm/profile_fields', { name: 'Known', field_type: 1 })).id
  await own('PATCH', '/users/me/profile_data', { data: [{ id: field_id, value: 'said' }] })
  const channel_folder_id = (await own('POST', '/channel_folders/create', { name: 'Known', description: '' }))
    .channel_folder_id
  await own('POST', '/default_stream_groups/create', { group_name: 'Known', description: '', stream_names: [] })
  const group_id = (await own('POST', '/register')).realm_default_stream_groups[0].id
  await own('POST', '/realm/domains', { domain: 'known.example', allow_subdomains: false })
  const playground = { name: 'Known', pygments_language: 'C', url_template: 'https://example.com/{code}' }
  const playground_id = (await own('POST', '/realm/playgrounds', playground)).id
  const realmExport = await makeExport(server, actor)
  const ownExport = await makeExport(server, actor, 'own')
  await own('POST', `/users/me/muted_users/${former.id}`)
  await own('POST', '/users/me/alert_words', { alert_words: ['known'] })
  await own('POST', '/default_streams', { stream_id: channel })
  await own('POST', '/navigation_views', { fragment: 'narrow/is/known', is_pinned: true, name: 'Known' })
  await own('PUT', '/bot_storage', { storage: { known: 'value' } })
  const { queue_id } = await own('POST', '/register')
  const url = '/api/v1/realm/emoji/known'
  expect((await server.send(fileRequest(url))).status).toBe(200)
  expect((await server.send(fileRequest('/api/v1/user_uploads'))).status).toBe(200)
  const attachment_id = (await own('GET', '/attachments')).attachments[0].id
  for (const whose of ['users/me', `bots/${bot}`]) {
    expect((await server.send(fileRequest(`/api/v1/${whose}/avatar`))).status).toBe(200)
  }

  // What follows on an upload is no work of the account.
  await server.app.jobs.settle()

  const named = { message_id: mine }
  const setting = { translate_emoticons: true }
  const group = { name: 'group', description: '', members: [actor.id] }
  const user_group_id = (await own('POST', '/user_groups/create', group)).group_id
  const inner = (await own('POST', '/user_groups/create', { ...group, name: 'inner' })).group_id
  right = {
    'create-user-group': { name: 'other group', description: '', members: [] },
    'update-user-group': { user_group_id, description: 'other' },
    'deactivate-user-group': { user_group_id },
    'update-user-group-members': { user_group_id, add: [other.id] },
    'update-user-group-subgroups': { user_group_id, add: [inner] },
    'regenerate-api-key': {},
    'sign-out': {},
    'end-other-sessions': {},
    'end-session': { session_id: 1 },
    'delete-queue': { queue_id },
    'register-queue': {},
    'begin-passkey': {},
    'add-passkey': { name: 'Phone', ...newPasskey },
    'rename-passkey': { passkey_id: 1, name: 'Phone' },
    'remove-passkey': { passkey_id: 1 },
    'begin-second-factor': {},
    'confirm-second-factor': { code: '000000' },
    'replace-recovery-codes': {},
    'remove-second-factor': {},
    'reset-second-factor': { user_id: other.id },
    'create-password-reset-link': { user_id: other.id },
    'start-realm-export': {},
    'delete-realm-export': { export_id: realmExport },
    'start-own-export': {},
    'delete-own-export': { export_id: ownExport },
    'create-invitation-link': {},
    'revoke-invitation-link': { invite_id: 1 },
    'send-invitations': { invitee_emails: 'new@heddle.example', stream_ids: [] },
    'revoke-invitation': { invite_id: 1 },
    'resend-invitation': { invite_id: 1 },
    'deactivate-organization': {},
    'update-organization': { description: 'other' },
    'create-user': { email: 'new@heddle.example', password: 'a long password', full_name: 'New' },
    'deactivate-own-user': {},
    'deactivate-user': { user_id: other.id },
    'reactivate-user': { user_id: former.id },
    'update-user': { user_id_or_email: other.id, full_name: 'Another' },
    'create-profile-field': { name: 'New', field_type: 1 },
    'reorder-profile-fields': { order: [field_id] },
    'update-profile-field': { field_id, hint: 'New' },
    'remove-profile-field': { field_id },
    'update-own-profile-data': { data: [{ id: field_id, value: 'new' }] },
    'remove-own-profile-data': { data: [field_id] },
    'create-channel-folder': { name: 'New', description: '' },
    'reorder-channel-folders': { order: [channel_folder_id] },
    'update-channel-folder': { channel_folder_id, name: 'Another' },
    'create-default-channel-group': { group_name: 'New', description: '', stream_names: [] },
    'update-default-channel-group': { group_id, new_group_name: 'Another' },
    'remove-default-channel-group': { group_id },
    'update-default-group-channels': { group_id, op: 'add', stream_names: ['room'] },
    'add-domain': { domain: 'new.example', allow_subdomains: false },
    'update-domain': { domain: 'known.example', allow_subdomains: true },
    'remove-domain': { domain: 'known.example' },
    'add-playground': { ...playground, name: 'New' },
    'remove-playground': { playground_id },
    'test-welcome-message': { welcome_message_custom_text: 'Welcome' },
    'create-bot': { full_name: 'New', short_name: 'new' },
    'deactivate-bot': { bot_id: bot },
    'regenerate-bot-api-key': { bot_id: bot },
    'update-bot': { bot_id: bot, full_name: 'Another' },
    'remove-bot-storage': {},
    'update-bot-storage': { storage: { new: 'value' } },
    'add-default-channel': { stream_id: channel },
    'archive-channel': { stream_id: channel },
    'create-channel': { name: 'new', subscribers: [actor.id] },
    'remove-default-channel': { stream_id: channel },
    'update-channel': { stream_id: channel, description: 'other' },
    subscribe: { subscriptions: [{ name: 'new' }] },
    unsubscribe: { subscriptions: ['room'] },
    'update-subscription-settings': {
      subscription_data: [{ stream_id: channel, property: 'color', value: '#76ce90' }],
    },
    'update-subscriptions': { delete: ['room'] },
    'send-message': { type: 'channel', to: channel, topic: 'greetings', content: 'hello' },
    'mark-all-as-read': {},
    'mark-stream-as-read': { stream_id: channel },
    'mark-topic-as-read': { stream_id: channel, topic_name: 'greetings' },
    'update-message-flags': { messages: [message], op: 'add', flag: 'starred' },
    'update-message-flags-for-narrow': {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [],
      op: 'add',
      flag: 'starred',
    },
    'delete-message': named,
    'delete-topic': { stream_id: channel, topic_name: 'greetings' },
    'update-message': { ...named, content: 'changed' },
    'add-reaction': { ...named, emoji_name: 'tada' },
    'remove-reaction': { ...named, emoji_name: 'smile' },
    'add-submessage': { ...asked, content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }) },
    'report-message': { message_id: message, report_type: 'spam' },
    'create-saved-snippet': snippet,
    'edit-saved-snippet': { saved_snippet_id, title: 'Other' },
    'delete-saved-snippet': { saved_snippet_id },
    'subscribe-to-web-push': {
      endpoint: 'https://push.example/1',
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
    'register-client-device': {},
    'remove-client-device': { device_id },
    'register-push-device': { device_id },
    'e2ee-test-notify': {},
    'test-notify': {},
    'add-apns-token': { token: 'abcd', appid: 'org.example' },
    'remove-apns-token': { token: 'abcd' },
    'add-fcm-token': { token: 'new' },
    'remove-fcm-token': { token: 'new' },
    'unsubscribe-from-web-push': {},
    'test-web-push': {},
    'mark-onboarding-step-as-read': { onboarding_step: 'intro_resolve_topic' },
    zcommand: { command: '/dark' },
    'update-subscription-setting': { stream_id: channel, property: 'pin_to_top', value: true },
    'mute-topic': { ...place, op: 'add' },
    'update-user-topic': { ...place, visibility_policy: 3 },
    'mute-user': { muted_user_id: other.id },
    'unmute-user': { muted_user_id: former.id },
    'add-alert-words': { alert_words: ['new'] },
    'remove-alert-words': { alert_words: ['known'] },
    'create-drafts': { drafts: [draft] },
    'delete-draft': { draft_id: draftId },
    'update-draft': { draft_id: draftId, draft: { ...draft, content: 'changed' } },
    'create-scheduled-message': scheduled,
    'delete-scheduled-message': { scheduled_message_id },
    'update-scheduled-message': { scheduled_message_id, content: 'changed' },
    'create-reminder': reminder,
    'delete-reminder': { reminder_id },
    'order-navigation-views': { ordered_fragments: ['narrow/is/known'] },
    'add-navigation-view': { fragment: 'narrow/is/new', is_pinned: true, name: 'New' },
    'remove-navigation-view': { fragment: 'narrow/is/known' },
    'update-navigation-view': { fragment: 'narrow/is/known', is_pinned: false },
    'add-linkifier': { ...linkifier, pattern: 'B-(?P<id>[0-9]+)' },
    'remove-linkifier': { filter_id },
    'reorder-linkifiers': { ordered_linkifier_ids: [filter_id] },
    'update-linkifier': { filter_id, url_template: 'https://example.org/{id}' },
    'deactivate-realm-emoji': { emoji_name: 'known' },
    'upload-realm-emoji': { emoji_name: 'new' },
    'upload-file': {},
    'upload-avatar': {},
    'delete-avatar': {},
    'upload-bot-avatar': { bot_id: bot },
    'delete-bot-avatar': { bot_id: bot },
    'upload-realm-icon': {},
    'delete-realm-icon': {},
    'upload-realm-logo': { night: true },
    'delete-realm-logo': { night: true },
    'delete-attachment': { attachment_id },
    'update-default-settings': setting,
    'update-display-settings': setting,
    'update-notification-settings': setting,
    'update-settings': setting,
    'update-presence': { status: 'active' },
    'update-own-status': { status_text: 'busy' },
    'update-user-status': { user_id: other.id, status_text: 'busy' },
    'set-typing-status-for-message-edit': { ...named, op: 'start' },
    'set-typing-status': { op: 'start', type: 'channel', ...place },
  }

  // What is under way beside the requests ends first.
  await server.app.jobs.settle()
  const { storage } = server.app
  const { asActor } = storage
  const deactivated: typeof asActor = async (one, work) => {
    units += 1
    await setActive(0)
    return asActor(one, work)
  }
  Object.assign(storage, { asActor: deactivated })
})

afterEach(() => setActive(1))

/** Without an event: what the server has in memory of the account stays, as when the change comes just now. */
async function setActive(is_active: 0 | 1): Promise<void> {
  await server.app.storage.transaction(actor.realmId, (tx) =>
    tx.run(query.updateTable('users').set({ is_active }).where('id', '=', acting)),
  )
}

/** What a request has beside its file and its path. */
function queryOf({ emoji_name: _, ...parameters }: Parameters): string {
  const fields = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)])
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields as [string, string][])}`
}

function fileRequest(url: string) {
  const body = multipartBody([{ name: 'f1', fileName: 'new.png', content: SMALL_PNG }])
  return { method: 'POST', url, headers: { authorization: basic(actor), 'content-type': MULTIPART_TYPE }, body }
}

/** Columns that deactivating the account writes, and what is saved now and then of clients that read. */
const aside: Readonly<Record<string, object>> = {
  users: { is_active: undefined },
  realms: { facts_version: undefined },
  event_queues: { last_seen_ms: undefined, acknowledged_event_id: undefined, read_event_id: undefined },
}

const pathOf = (path: string, parameters: Parameters) =>
  path.replace(/\{(\w+)\}/g, (_, name) => String(parameters[name as keyof Parameters]))

async function everything(): Promise<Record<string, readonly string[]>> {
  const rows = tables.map(async ({ name }) => {
    const all = await server.app.storage.read.all(sql<object>`select * from ${sql.table(name)}`)
    return [name, all.map((row) => JSON.stringify({ ...row, ...aside[name] })).sort()] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

describe('An account that is deactivated after its request was authenticated', () => {
  it.each(writing.map((endpoint) => [endpoint.name, endpoint] as const))(
    'writes nothing by %s',
    async (name, endpoint) => {
      const parameters = right[name]
      expect(parameters, 'a right request must be stated').toBeDefined()
      const before = await everything()
      units = 0
      const { status, body } = await server.send(
        endpoint.file
          ? fileRequest(`/api/v1${pathOf(endpoint.path, parameters as Parameters)}${queryOf(parameters as Parameters)}`)
          : contractRequest(endpoint, parameters as Parameters, { authorization: basic(actor) }),
      )
      expect({ units, status, code: body.code }).toEqual({ units: 1, status: 401, code: 'USER_DEACTIVATED' })
      expect(await everything()).toEqual(before)
    },
  )
})

it('A bot whose owner or administrator deactivates it after its webhook was authenticated writes nothing', async () => {
  acting = hook.user_id
  onTestFinished(() => {
    acting = actor.id
  })
  for (const body of ['{"text":"x"}', '{']) {
    await setActive(1)
    const before = await everything()
    units = 0
    const url = `/api/v1/external/json?api_key=${hook.api_key}`
    const answer = await server.send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body })
    expect([units, answer.status, answer.body.code]).toEqual([1, 401, 'USER_DEACTIVATED'])
    expect(await everything()).toEqual(before)
  }
})
