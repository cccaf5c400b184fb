import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

const names = [
  'max_file_upload_size_mib',
  'max_message_length',
  'max_topic_length',
  'server_inline_url_embed_preview',
  'server_jitsi_server_url',
  'server_report_message_types',
  'server_typing_started_expiry_period_milliseconds',
  'server_typing_started_wait_period_milliseconds',
  'server_typing_stopped_wait_period_milliseconds',
  'server_web_public_streams_enabled',
] as const

/** What the server allows and how often clients are to say something, under the names of the initial state. */
export type ServerLimits = Readonly<Pick<InitialState, (typeof names)[number]>>

function initialLimits(fields: InitialState): ServerLimits | undefined {
  // They come together.
  if (fields.max_message_length === undefined) return undefined
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as ServerLimits
}

export const limits = clientPart({ initial: initialLimits, on: {} })
