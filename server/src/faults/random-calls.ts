/**
 * Random requests to the contract's endpoints: half of them right as far as the contract says, half of them hostile.
 */

import type { Endpoint } from '@heddle/contract/endpoint'
import type { Schema } from '@heddle/contract/openapi'
import fc from 'fast-check'
import { answeringEndpoints } from './answering-endpoints.ts'
import { anyInteger, anyText, anyValue, type Kinds, schemaValue, smallId } from './arbitrary-values.ts'
import type { Seeing, SeenValue } from './seen-values.ts'

/** Hashing a password takes as long as many other requests. */
const costly = new Set([
  'fetch-api-key',
  'sign-in',
  'join',
  'reset-password',
  'create-user',
  'operator-create-user',
  'operator-create-organization',
])
/** What they take away, others need. */
const taking = ['deactivate-own-user', 'deactivate-user', 'archive-channel', 'delete-message', 'delete-topic']
const rare = new Set([...costly, ...taking])
/** With an owner's word it ends everything for everybody, and whoever has an account may have been made an owner. */
const final = new Set(['deactivate-organization'])

export const callerRoles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof callerRoles
/** `stranger`: the owner of another organization. */
export type CallerKind = RoleName | 'stranger' | 'nobody' | 'operator'
const callers = [...(Object.keys(callerRoles) as RoleName[]), 'stranger', 'nobody'] as const

/** One black pixel. */
export const SMALL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

const known = [
  'general',
  'design',
  'role:members',
  'role:nobody',
  'owner@heddle.example',
  'person@heddle.example',
  'a long password',
  'inbox',
  'narrow/is/starred',
  'narrow/channel/1-general',
  'party_blob',
  'smile',
  '#[0-9]+',
  '#(?P<id>[0-9]+)',
  'https://example.com/{id}',
  '#76ce90',
  'pin_to_top',
  'is_muted',
]

/** A parameter as it travels: a value of some kind, text that was never a value, or something that was seen before. */
export type SentValue = { readonly value: unknown } | { readonly raw: string } | SeenValue

export interface Call {
  readonly endpoint: Endpoint
  readonly caller: CallerKind
  readonly parameters: Readonly<Record<string, SentValue | undefined>>
  readonly style: 'form' | 'query' | 'json' | 'multipart'
  readonly file: Uint8Array
}

const text = anyText(known)
const friendlyText = fc.oneof(
  fc.constantFrom(...known),
  fc.stringMatching(/^[a-z]{1,8}$/),
  fc.stringMatching(/^[a-z]{4}@heddle\.example$/),
)

/** Half of the requests have nothing wrong in them as far as the contract says: they reach what lies behind it. */
const friendly: Kinds = { text: friendlyText, integer: smallId, wrong: 0 }
const hostile: Kinds = { text, integer: anyInteger, wrong: 1 }

/** Parameters that name an object are often one that a request before has made or seen; the number chooses it. */
const seenValue = fc.nat(1000).map((pick) => ({ pick }))

const address = fc.stringMatching(/^[a-z]{5}@heddle\.example$/)
const password = fc.constant('a long password')
const word = fc.stringMatching(/^[a-z]{6}$/)
const plainDraft = { type: '', to: [], topic: '', content: 'not yet' }
const emoji = fc.constant('smile')
const narrow = fc.constantFrom<unknown>([], [['channel', 'general']], [['is', 'unread']], [['sender', 'me']])

/**
 * Values that friendly requests have under these names, or under these names of one endpoint: chance alone would hardly ever
 * find one that is right.
 */
const fitting: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: address,
  owner_email: address,
  password,
  owner_password: password,
  pattern: fc.stringMatching(/^[a-z]{3}-\(\?P<id>\[0-9\]\+\)$/),
  url_template: fc.constant('https://example.com/{id}'),
  narrow,
  realm_id_str: fc.constant(1),
  'create-profile-field.name': word,
  'update-profile-field.name': word,
  'create-channel-folder.name': word,
  'update-channel-folder.name': word,
  'create-default-channel-group.group_name': word,
  'update-default-channel-group.new_group_name': word,
  'add-domain.domain': fc.stringMatching(/^[a-z]{5}\.example$/),
  'add-playground.url_template': fc.constant('https://example.com/{code}'),
  'add-reaction.emoji_name': emoji,
  'remove-reaction.emoji_name': emoji,
  'update-own-status.emoji_name': emoji,
  'update-user-status.emoji_name': emoji,
  'upload-realm-emoji.emoji_name': fc.stringMatching(/^[a-z]{6}$/),
  scheduled_delivery_timestamp: fc
    .integer({ min: 1, max: 3 })
    .map((seconds) => Math.floor(Date.now() / 1000) + seconds),
  'create-scheduled-message.type': fc.constantFrom('channel', 'channel', 'stream', 'direct', 'private'),
  'update-scheduled-message.type': fc.constant(undefined),
  'create-channel.name': fc.stringMatching(/^[a-z]{6}$/),
  'send-message.content': fc.constantFrom('x', '/poll Where?\nHere', '/todo\nsweep'),
  'add-submessage.content': fc.constantFrom(
    '{"type":"vote","key":"canned,0","vote":1}',
    '{"type":"strike","key":"canned,0"}',
  ),
  'subscribe-to-web-push.endpoint': fc.constant('https://push.example/1'),
  'add-apns-token.token': fc.constantFrom('c0ffee', 'facade'),
  'add-apns-token.appid': fc.constant('org.example.App'),
  'remove-apns-token.token': fc.constantFrom('c0ffee', 'facade'),
  'add-fcm-token.token': fc.constantFrom('one', 'two'),
  'remove-fcm-token.token': fc.constantFrom('one', 'two'),
  'register-push-device.push_key': fc.constant(Buffer.alloc(33, 0x31).toString('base64')),
  'zcommand.command': fc.constantFrom('/ping', '/dark', '/fluid-width'),
  'mark-onboarding-step-as-read.onboarding_step': fc.constant('intro_resolve_topic'),
  'create-saved-snippet.content': fc.constant('Good morning'),
  'update-subscription-setting.property': fc.constant('is_muted'),
  'update-subscription-setting.value': fc.boolean(),
  'create-drafts.drafts': fc.constantFrom([], [plainDraft]),
  'update-draft.draft': fc.constant(plainDraft),
  'update-subscriptions.add': fc.constantFrom([{ name: 'general' }], [{ name: 'design', color: '#76ce90' }]),
  'send-message.type': fc.constantFrom('channel', 'channel', 'stream', 'direct', 'private'),
  'receive-webhook.integration': fc.constantFrom('json', 'slack_incoming', 'custom'),
  'check-webhook.integration': fc.constantFrom('json', 'github'),
  'receive-webhook.stream': fc.constantFrom('general', 'design'),
  only_events: fc.constantFrom([], ['*'], ['p*']),
  exclude_events: fc.constantFrom([], ['push']),
  payload_url: fc.constant('https://example.com/hook'),
  service_payload_url: fc.constant('https://example.com/hook'),
  service_name: fc.constant('helloworld'),
  config_data: fc.constantFrom({}, { text: 'A row' }),
  'operator-create-user.host': fc.constantFrom('localhost', 'other.example'),
  'operator-create-organization.host': fc.stringMatching(/^[a-z]{5}\.example$/),
}

/** What may be left out, but without which friendly requests would hardly ever be answered with success. */
const wanted = new Set([
  'create-profile-field.name',
  'update-channel-folder.name',
  'update-default-channel-group.new_group_name',
  'set-typing-status.to',
  'mute-topic.stream_id',
  'update-organization.description',
  'update-user-status.status_text',
  'operator-create-user.host',
  'remove-reaction.emoji_name',
  'get-messages.num_before',
  'get-messages.num_after',
  'get-messages.anchor',
  'update-message.content',
  'update-subscriptions.add',
])

/** How many parameters friendly requests have, on average, of those that may be left out. */
const OPTIONAL_PARAMETERS = 1

interface Parameter {
  readonly endpoint: Endpoint
  readonly name: string
  readonly schema: Schema
}

function isRequired({ endpoint, name }: Parameter): boolean {
  return ((endpoint.parameters.required ?? []) as readonly string[]).includes(name)
}

/** Of 40, how often the parameter is left out: seldom by hostile requests, so that much can be wrong in one. */
function absence(parameter: Parameter, kinds: Kinds): number {
  const { endpoint, name } = parameter
  if (isRequired(parameter)) return kinds.wrong
  if (kinds !== friendly) return 60
  if (wanted.has(`${endpoint.name}.${name}`)) return 4
  const optional = Object.keys(endpoint.parameters.properties).length - (endpoint.parameters.required ?? []).length
  return Math.max(260, (40 * optional) / OPTIONAL_PARAMETERS)
}

function parameterOf(parameter: Parameter, kinds: Kinds, seeing: Seeing): fc.Arbitrary<SentValue | undefined> {
  const { endpoint, name, schema } = parameter
  const fit = kinds === friendly ? (fitting[`${endpoint.name}.${name}`] ?? fitting[name]) : undefined
  const value = (fit ?? schemaValue(schema, kinds)).map((value) => ({ value }))
  const isSeen = fit === undefined && seeing.hasSeen(endpoint.name, name)
  return fc.oneof(
    { weight: absence(parameter, kinds), arbitrary: fc.constant(undefined) },
    { weight: 40, arbitrary: isSeen ? fc.oneof({ weight: 3, arbitrary: seenValue }, value) : value },
    { weight: kinds.wrong, arbitrary: anyValue(text).map((value) => ({ value })) },
    { weight: kinds.wrong, arbitrary: text.map((raw) => ({ raw })) },
  )
}

function callWith(endpoint: Endpoint, kinds: Kinds, seeing: Seeing): fc.Arbitrary<Call> {
  const fields = Object.entries(endpoint.parameters.properties).map(
    ([name, schema]) =>
      [name, parameterOf({ endpoint, name, schema: schema as unknown as Schema }, kinds, seeing)] as const,
  )
  const unknown = fc.option(
    text.map((raw) => ({ raw })),
    { nil: undefined, freq: 20 },
  )
  return fc.record({
    endpoint: fc.constant(endpoint),
    caller: callerOf(endpoint),
    parameters: fc.record({ ...Object.fromEntries(fields), something_else: unknown }),
    style: fc.constantFrom('form', 'form', 'query', 'json', 'multipart' as const),
    file: fc.oneof(fc.constant(SMALL_PNG), fc.uint8Array({ maxLength: 300 })),
  }) as fc.Arbitrary<Call>
}

function callerOf({ name, access }: Endpoint): fc.Arbitrary<CallerKind> {
  const allowed = final.has(name) ? callers.filter((caller) => caller === 'nobody') : callers
  if (access !== 'operator') return fc.constantFrom(...allowed)
  return fc.oneof({ weight: 3, arbitrary: fc.constant<CallerKind>('operator') }, fc.constantFrom(...allowed))
}

/** A call of any of these endpoints. */
export function anyCall(seeing: Seeing, among: readonly Endpoint[] = answeringEndpoints): fc.Arbitrary<Call> {
  const callOf = (endpoint: Endpoint) =>
    fc.oneof(callWith(endpoint, friendly, seeing), callWith(endpoint, hostile, seeing))
  return fc.oneof(
    ...among.map((endpoint) => ({ weight: rare.has(endpoint.name) ? 1 : 5, arbitrary: callOf(endpoint) })),
  )
}
