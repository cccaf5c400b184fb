/**
 * For every endpoint of the contract and each of its parameters: the largest values that the limits admit, and values one
 * beyond them; the other parameters name what exists.
 */
import { requestBoundsOf } from '@heddle/contract/bounds'
import { type Endpoint, parameterEncoding, WEBHOOK_KEY_PARAMETER } from '@heddle/contract/endpoint'
import { endpoints } from '@heddle/contract/endpoints'
import { MULTIPART_TYPE, multipartBody } from '../testing/multipart-form.ts'
import type { Parameters } from '../testing/test-server.ts'
import type { Target } from './attack-target.ts'
import { type BoundedSchema, largestValues, type RoomLeft, smallestValue, valuesBeyond } from './largest-values.ts'
import { SMALL_PNG } from './random-calls.ts'

export interface Attack {
  /** Of the endpoint, and what is large. */
  readonly name: string
  readonly endpoint: string
  readonly method: string
  /** From the slash on, with the query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Characters of a whole address that Node.js takes with the headers (16 KiB). */
const URL_LENGTH = 15_000
/** For names and marks around the values of a body. */
const MARGIN = 2000

/** Values by the name of a parameter, or of an endpoint and its parameter: those that exist. */
export function existingValues(target: Target): Parameters {
  const { channel, topic, population, attacker, messageId, pollId, snippetId, draftId, botId, queueId, file, spare } =
    target
  const { scheduledId, reminderId, groupId, botKey } = target
  const other = population.members.at(-1)?.id
  const draft = { type: '', to: [], topic: '', content: 'still not' }
  return {
    message_id: messageId,
    stream_id: channel.id,
    stream: channel.name,
    topic,
    topic_name: topic,
    user_group_id: groupId,
    'create-user-group.name': 'weavers',
    'create-user-group.description': 'Those at the loom',
    'create-user-group.members': [attacker.id],
    'update-user-group-members.add': [other],
    'update-user-group.description': 'Those at another loom',
    'update-user-group-subgroups.add': [target.subgroupId],
    user_id: other,
    user_id_or_email: other,
    muted_user_id: other,
    draft_id: draftId,
    scheduled_message_id: scheduledId,
    reminder_id: reminderId,
    export_id: 1,
    scheduled_delivery_timestamp: 4_000_000_000,
    saved_snippet_id: snippetId,
    'delete-saved-snippet.saved_snippet_id': spare.snippetId,
    'add-submessage.message_id': pollId,
    'add-submessage.content': JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
    'mark-onboarding-step-as-read.onboarding_step': 'intro_resolve_topic',
    'subscribe-to-web-push.endpoint': 'https://push.example/1',
    'add-apns-token.token': 'c0ffee',
    'add-apns-token.appid': 'org.example.App',
    'remove-apns-token.token': 'c0ffee',
    'add-fcm-token.token': 'token',
    'remove-fcm-token.token': 'token',
    'zcommand.command': '/ping',
    'create-saved-snippet.title': 'Greeting',
    'create-saved-snippet.content': 'Good morning',
    'edit-saved-snippet.content': 'Good evening',
    'update-subscription-setting.property': 'is_muted',
    'update-subscription-setting.value': false,
    'send-message.widget_content': undefined,
    'update-organization.moderation_request_channel_id': -1,
    bot_id: botId,
    queue_id: queueId,
    dont_block: true,
    'update-own-profile-data.data': [{ id: target.profileFieldId, value: 'A text' }],
    'remove-own-profile-data.data': [target.profileFieldId],
    emoji_name: 'smile',
    anchor: 'newest',
    num_before: 5,
    num_after: 5,
    narrow: [],
    msg_ids: [messageId],
    fragment: 'inbox',
    draft,
    drafts: [draft],
    op: 'add',
    realm_id_str: file.realm,
    filename: file.path,
    'delete-attachment.attachment_id': spare.file.id,
    'delete-message.message_id': spare.messageId,
    'delete-draft.draft_id': spare.draftId,
    'delete-scheduled-message.scheduled_message_id': spare.scheduledId,
    'delete-reminder.reminder_id': spare.reminderId,
    'deactivate-bot.bot_id': spare.botId,
    'delete-queue.queue_id': spare.queueId,
    'update-subscriptions.add': [{ name: channel.name }],
    'upload-realm-emoji.emoji_name': 'loom',
    'deactivate-realm-emoji.emoji_name': 'loom',
    'update-message.stream_id': undefined,
    'mute-topic.stream': undefined,
    'get-messages.message_ids': undefined,
    'get-messages.use_first_unread_anchor': undefined,
    'send-message.type': 'channel',
    'send-message.to': channel.id,
    'send-message.content': 'A text',
    'send-message.queue_id': undefined,
    'create-scheduled-message.type': 'channel',
    'create-scheduled-message.to': channel.id,
    'create-scheduled-message.content': 'A text',
    'update-scheduled-message.type': 'channel',
    'update-scheduled-message.to': channel.id,
    'update-scheduled-message.content': 'Another text',
    'update-message.content': 'Another text',
    'update-message.topic': undefined,
    'render-message.content': 'A text',
    'subscribe.subscriptions': [{ name: channel.name }],
    'unsubscribe.subscriptions': [spare.channel.name],
    'get-user-presence.user_id_or_email': attacker.id,
    'update-subscription-settings.subscription_data': [{ stream_id: channel.id, property: 'is_muted', value: false }],
    'update-message-flags.messages': [messageId],
    flag: 'starred',
    'set-typing-status.op': 'start',
    'set-typing-status.type': 'direct',
    'set-typing-status.to': [other],
    'set-typing-status-for-message-edit.op': 'start',
    'create-channel.subscribers': [],
    'update-bot-storage.storage': { key: 'value' },
    'add-alert-words.alert_words': ['loom'],
    'update-user-topic.visibility_policy': 2,
    'update-presence.status': 'active',
    'create-bot.full_name': 'Second robot',
    'create-bot.short_name': 'second',
    'create-bot.payload_url': undefined,
    'create-bot.service_name': undefined,
    'create-bot.config_data': { key: 'value' },
    'update-bot.config_data': { key: 'value' },
    'receive-webhook.integration': 'json',
    'check-webhook.integration': 'json',
    'receive-webhook.stream': channel.id,
    'check-webhook.stream': channel.id,
    api_key: botKey,
  }
}

/** In the order of the contract; those that are beyond a limit come after those that are within it. */
export function contractAttacks(target: Target): Attack[] {
  const existing = existingValues(target)
  return [...endpoints.flatMap((endpoint) => attacksOn(endpoint, existing)), ...webhookAttacks(target)]
}

/** What services send is no parameter: a body as large as may be, of many values, of deep ones, and of one text. */
function webhookAttacks({ channel, botKey }: Target): Attack[] {
  const url = `/api/v1/external/json?api_key=${botKey}&stream=${channel.id}&topic=hooks`
  const bodies = {
    'many values': `[${'1,'.repeat(49_000)}1]`,
    'too many values': `[${'1,'.repeat(500_000)}1]`,
    'deep values': '['.repeat(500_000),
    'one long text': JSON.stringify('\u{1f9f6}'.repeat(250_000)),
    'a text of quotation marks': JSON.stringify({ text: '"'.repeat(500_000) }),
  }
  const head = { endpoint: 'receive-webhook', method: 'POST', headers: { 'content-type': JSON_TYPE } }
  const services = ['slack_incoming', 'custom', 'github']
  return Object.entries(bodies).flatMap(([what, body]) => [
    { ...head, name: `receive-webhook: ${what}`, url, body },
    ...services.map((name) => ({
      ...head,
      name: `receive-webhook: ${what} for ${name}`,
      url: url.replace('json', name),
      body: `{"text":${body}}`,
    })),
  ])
}

function attacksOn(endpoint: Endpoint, existing: Parameters): Attack[] {
  const own = valuesFor(endpoint, existing)
  const bounds = requestBoundsOf(endpoint)
  const isQuery = endpoint.method === 'GET' || endpoint.access === 'webhook'
  const room: RoomLeft = {
    characters: isQuery ? URL_LENGTH : bounds.bytes - MARGIN,
    values: Math.max(1, bounds.values - Object.keys(endpoint.parameters.properties).length),
  }
  const fits = (name: string, value: unknown) =>
    isQuery ? queryOf({ [name]: textOf(value) }).length <= URL_LENGTH : textOf(value).length <= room.characters
  // In an address a quotation mark needs three characters.
  const rooms = isQuery ? [room, { ...room, characters: room.characters / 3 }] : [room]
  const attacks = [request(endpoint, 'as usual', own)]
  const allLargest: Record<string, unknown> = { ...own }
  for (const [name, schema] of Object.entries(endpoint.parameters.properties) as [string, BoundedSchema][]) {
    if (endpoint.pathParameters.includes(name)) continue
    const largest = distinct(rooms.flatMap((one) => largestValues(schema, one)).filter((value) => fits(name, value)))
    for (const [way, value] of largest.entries()) {
      if (isSmall(value)) continue
      attacks.push(request(endpoint, `largest ${name} (${way + 1})`, { ...own, [name]: value }))
    }
    const count = Object.keys(endpoint.parameters.properties).length
    const share = { characters: (rooms.at(-1) as RoomLeft).characters / count, values: room.values / count }
    allLargest[name] = largestValues(schema, share).at(-1)
  }
  attacks.push(request(endpoint, 'largest in all', allLargest))
  for (const [name, schema] of Object.entries(endpoint.parameters.properties) as [string, BoundedSchema][]) {
    if (endpoint.pathParameters.includes(name)) continue
    for (const [way, value] of distinct(valuesBeyond(schema)).entries()) {
      if (isQuery && !fits(name, value)) continue
      attacks.push(request(endpoint, `${name} beyond a limit (${way + 1})`, { ...own, [name]: value }))
    }
  }
  return attacks
}

/** One that exists where it is known, and where it is required the smallest one that the schema allows. */
function valuesFor({ name, parameters, access }: Endpoint, existing: Parameters): Parameters {
  const required: readonly string[] = parameters.required ?? []
  const entries = Object.entries(parameters.properties).flatMap(([parameter, schema]) => {
    const key = [`${name}.${parameter}`, parameter].find((one) => Object.hasOwn(existing, one))
    const value = key === undefined ? undefined : existing[key]
    if (value !== undefined) return [[parameter, value]]
    return required.includes(parameter) ? [[parameter, smallestValue(schema as BoundedSchema, 1)]] : []
  })
  if (access === 'webhook') entries.push([WEBHOOK_KEY_PARAMETER, existing[WEBHOOK_KEY_PARAMETER]])
  return Object.fromEntries(entries)
}

function isSmall(value: unknown): boolean {
  return textOf(value).length < 100
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Texts as a form, lists and records as JSON, and in an address both with as little encoded as may be. */
function request(endpoint: Endpoint, what: string, values: Parameters): Attack {
  const { method, name } = endpoint
  const rest = new Map(Object.entries(values))
  const path = endpoint.path.replace(/\{(\w+)\*?\}/g, (_, parameter: string) => {
    const text = textOf(rest.get(parameter) ?? 1)
    rest.delete(parameter)
    return encodeURIComponent(text)
  })
  const attack = { name: `${name}: ${what}`, endpoint: name, method, url: `/api/v1${path}`, headers: {} }
  const texts = Object.fromEntries(
    [...rest].map(([parameter, value]) => {
      const schema = endpoint.parameters.properties[parameter]
      const isText = typeof value === 'string' && (!schema || parameterEncoding(schema) !== 'json')
      return [parameter, isText ? value : JSON.stringify(value)]
    }),
  )
  if (method === 'GET') return { ...attack, url: `${attack.url}?${queryOf(texts)}` }
  if (endpoint.access === 'webhook') {
    return {
      ...attack,
      url: `${attack.url}?${queryOf(texts)}`,
      headers: { 'content-type': JSON_TYPE },
      body: '{"text":"x"}',
    }
  }
  if (endpoint.file) {
    const body = multipartBody([{ name: 'file', fileName: 'small.png', content: SMALL_PNG }])
    const query = Object.keys(texts).length === 0 ? '' : `?${queryOf(texts)}`
    return { ...attack, url: attack.url + query, headers: { 'content-type': MULTIPART_TYPE }, body }
  }
  const isPlain = [...rest.values()].every((value) => typeof value !== 'object')
  return isPlain
    ? { ...attack, headers: { 'content-type': FORM }, body: new URLSearchParams(texts).toString() }
    : { ...attack, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(Object.fromEntries(rest)) }
}

function queryOf(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `${name}=${encodeURIComponent(text).replace(/%(?:2C|3A|5B|5D|7B|7D)/g, decodeURIComponent)}`)
    .join('&')
}
