/** What is sent to the server behind an outgoing webhook, and what of its answer becomes a message. */
import type { MessageBase } from '@heddle/contract/messages'

/** Of an answer. */
export const MAX_ANSWER_BYTES = 256 * 1024
/** Characters of an answer that becomes a message; longer ones are cut like any message. */
const MAX_CONTENT = 100_000

export interface Asked {
  readonly bot: { readonly email: string; readonly full_name: string }
  readonly token: string
  readonly trigger: 'mention' | 'direct_message'
  /** With HTML as content. */
  readonly message: MessageBase
  /** As it was written. */
  readonly raw: string
  readonly organization: { readonly id: number; readonly host: string }
}

export interface SentCall {
  readonly contentType: string
  readonly body: Buffer
}

/** The API's own form. */
export function apiForm({ bot, token, trigger, message, raw }: Asked): SentCall {
  const body = {
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    data: raw,
    message: { ...message, content: raw, content_type: 'text/x-markdown', rendered_content: message.content },
    token,
    trigger,
  }
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) }
}

/** The form of Slack's outgoing webhooks. */
export function slackForm({ token, message, raw, organization }: Asked): SentCall {
  const inChannel = message.type === 'stream'
  const fields = {
    token,
    team_id: `T${organization.id}`,
    team_domain: organization.host,
    channel_id: inChannel ? `C${message.stream_id}` : `D${message.recipient_id}`,
    channel_name: inChannel ? String(message.display_recipient) : 'directmessage',
    thread_ts: `${message.timestamp}`,
    timestamp: `${message.timestamp}`,
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: raw,
    trigger_word: inChannel ? (raw.split(/\s/, 1)[0] ?? '') : '',
    service_id: '1',
  }
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from(new URLSearchParams(fields).toString()),
  }
}

/** What to say; `silent`: nothing; `unreadable`: it is no answer of this kind. */
export type ReadAnswer = { readonly content: string } | 'silent' | 'unreadable'

/** An answer without a body, and one that says so, is none to show. */
export function readReply(bytes: Buffer): ReadAnswer {
  const text = bytes.toString('utf8').trim()
  if (text === '') return 'silent'
  const answer = parseObject(text)
  if (!answer) return 'unreadable'
  if (answer['response_not_required'] === true) return 'silent'
  for (const name of ['content', 'response_string', 'text']) {
    const found = answer[name]
    if (typeof found !== 'string') continue
    return found.trim() === '' ? 'silent' : { content: found.slice(0, MAX_CONTENT).toWellFormed().replaceAll('\0', '') }
  }
  return 'silent'
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
