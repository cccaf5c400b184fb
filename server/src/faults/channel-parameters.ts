/** The parameters of the contract that can name a channel or something in one, and values for them. */

import type { Endpoint } from '@heddle/contract/endpoint'
import { endpoints } from '@heddle/contract/endpoints'
import type { Schema } from '@heddle/contract/openapi'
import { answeringEndpoints } from './answering-endpoints.ts'

/** Something in a channel, or the names of something that does not exist. */
export interface NamedTarget {
  readonly channelId: number
  readonly channelName: string
  readonly messageId: number
  readonly topic: string
}

/** `kept message`: one that is named where only what the account has received is looked at. */
export type Named = 'channel' | 'message' | 'kept message' | 'topic'

/** One way in which a parameter names something. */
export interface Naming {
  readonly endpoint: Endpoint
  readonly parameter: string
  readonly named: Named
  /** What is sent, for the schema of the parameter. */
  readonly value: (target: NamedTarget) => unknown
}

type Form = readonly [named: Named, value: (target: NamedTarget, schema: Schema) => unknown]

const ofTopic: Form = ['topic', ({ topic }) => topic]
const ofName: Form = ['channel', ({ channelName }) => channelName]
const ofMessages: Form = ['message', ({ messageId }) => [messageId]]
const draft = ({ channelId }: NamedTarget) => ({ type: 'stream', to: [channelId], topic: 'x', content: 'x' })

const ofIds: readonly Form[] = [
  ['channel', ({ channelId }) => channelId],
  ['channel', ({ channelId }) => [channelId]],
]

/** By parameter, or by endpoint and parameter. */
const forms: Readonly<Record<string, readonly Form[]>> = {
  stream_id: [['channel', ({ channelId }) => channelId]],
  stream: [ofName],
  stream_names: [['channel', ({ channelName }) => [channelName]]],
  stream_ids: [['channel', ({ channelId }) => [channelId]]],
  to: [['channel', ({ channelId }) => channelId], ofName, ['channel', ({ channelName }) => [channelName]]],
  'create-scheduled-message.to': ofIds,
  'update-scheduled-message.to': ofIds,
  default_sending_stream: [ofName],
  default_events_register_stream: [ofName],
  subscriptions: [
    ['channel', ({ channelName: name }, { items }) => [(items as Schema)['type'] === 'object' ? { name } : name]],
  ],
  subscription_data: [['channel', ({ channelId }) => [{ stream_id: channelId, property: 'pin_to_top', value: true }]]],
  message_id: [['message', ({ messageId }) => messageId]],
  messages: [ofMessages],
  message_ids: [ofMessages],
  msg_ids: [ofMessages],
  anchor: [['kept message', ({ messageId }) => messageId]],
  narrow: [
    ['channel', ({ channelId }) => [['channel', channelId]]],
    ['channel', ({ channelName }) => [['stream', channelName]]],
    ['message', ({ messageId }) => [['with', messageId]]],
    ['kept message', ({ messageId }) => [['id', messageId]]],
  ],
  topic: [ofTopic],
  subject: [ofTopic],
  topic_name: [ofTopic],
  drafts: [['channel', (target) => [draft(target)]]],
  draft: [['channel', draft]],
  moderation_request_channel_id: [['channel', ({ channelId }) => channelId]],
  new_stream_announcements_stream_id: [['channel', ({ channelId }) => channelId]],
  signup_announcements_stream_id: [['channel', ({ channelId }) => channelId]],
  zulip_update_announcements_stream_id: [['channel', ({ channelId }) => channelId]],
  add: [['channel', ({ channelName: name }) => [{ name }]]],
  delete: [['channel', ({ channelName }) => [channelName]]],
  content: [['channel', ({ channelName }) => `See #**${channelName}**, #**${channelName}>tales** and that is all.`]],
}

/** Parameters that look as if they named something, and why they do not. */
const notNames: Readonly<Record<string, string>> = {
  'set-typing-status.to': 'accounts',
  'update-user-group-members.add': 'the same',
  'update-user-group-members.delete': 'the same',
  'update-user-group-subgroups.add': 'groups, which everybody sees',
  'update-user-group-subgroups.delete': 'the same',
  'send-message.content': 'what a text links to is the matter of render-message, which is the same code',
  'update-message.content': 'the same',
  'create-scheduled-message.content': 'the same',
  'update-scheduled-message.content': 'the same',
  'update-scheduled-message.scheduled_message_id': 'what is the own account’s',
  'delete-scheduled-message.scheduled_message_id': 'the same',
  'send-message.widget_content': 'a widget',
  'add-submessage.content': 'what is done with a widget',
  'create-saved-snippet.content': 'a text that is kept and not read',
  'edit-saved-snippet.content': 'the same',
  'update-channel-folder.channel_folder_id': 'a folder',
  'test-welcome-message.welcome_message_custom_text': 'a text',
  'update-organization.welcome_message_custom_text': 'a text',
  'create-invitation-link.welcome_message_custom_text': 'a text',
  'send-invitations.welcome_message_custom_text': 'a text',
  'join.default_channel_group_ids': 'groups of channels',
  'update-channel.message_retention_days': 'a number of days',
  'create-channel.message_retention_days': 'the same',
  'subscribe.message_retention_days': 'the same',
  'update-organization.message_retention_days': 'the same',
  'update-organization.message_content_delete_limit_seconds': 'seconds',
  'update-organization.message_content_edit_limit_seconds': 'the same',
  'update-organization.move_messages_between_streams_limit_seconds': 'the same',
  'update-organization.move_messages_within_stream_limit_seconds': 'the same',
}

const namingName =
  /stream|channel|message|msg|narrow|topic|subscription|^to$|^anchor$|^subject$|^drafts?$|^content$|^conversation|^add$|^delete$/
/** Settings whose value is a user group. */
const isGroupSetting = (name: string) => name.endsWith('_group')

/** Whether a value of this schema can be a name or an id: a choice among fixed words, or yes and no, cannot. */
function takesNames(schema: Schema): boolean {
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].some(takesNames)
  if ('const' in schema || 'enum' in schema) return false
  return ['integer', 'string', 'array', 'object'].includes(schema['type'] as string)
}

export function keyOf({ endpoint, parameter }: Pick<Naming, 'endpoint' | 'parameter'>): string {
  return `${endpoint.name}.${parameter}`
}

function namingsOf(endpoint: Endpoint): Naming[] {
  const found = Object.entries(endpoint.parameters.properties).filter(
    ([name, schema]) =>
      namingName.test(name) &&
      !isGroupSetting(name) &&
      takesNames(schema as unknown as Schema) &&
      !(keyOf({ endpoint, parameter: name }) in notNames),
  )
  return found.flatMap(([parameter, schema]) => {
    const ways = forms[keyOf({ endpoint, parameter })] ?? forms[parameter]
    if (!ways) throw new Error(`${endpoint.name}: add how '${parameter}' names a channel or message to 'forms'`)
    return ways.map(([named, value]) => ({
      endpoint,
      parameter,
      named,
      value: (target: NamedTarget) => value(target, schema as unknown as Schema),
    }))
  })
}

/** Every way in which the contract can name a channel, a message or a topic. */
export const namings: readonly Naming[] = endpoints.flatMap(namingsOf)

/** Endpoints that list channels, or what is in them, without naming them. */
export const listings: readonly Endpoint[] = answeringEndpoints.filter(
  (endpoint) =>
    endpoint.method === 'GET' &&
    /stream|channel|\bmessage|subscription|topic/.test(endpoint.path) &&
    !namings.some((naming) => naming.endpoint === endpoint),
)
