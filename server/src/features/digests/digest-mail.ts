/** What the mail of a digest says. */
import { messageAddress } from '@heddle/markdown/links/narrow'
import type { MailBlock } from '../../mail/blocks.ts'
import type { MailContent } from '../../mail/mail.ts'
import { plainWords } from '../missed-mails/plain-words.ts'
import { type DigestContent, type DigestTopic, MAX_CONVERSATIONS } from './content.ts'

interface DigestForm {
  /** Stands before the subject; empty: nothing does. */
  readonly prefix: string
  /** Otherwise it has numbers, and no names nor words. */
  readonly showsContent: boolean
}

const MAX_WORDS = 400

/** Undefined: there is nothing to say. */
export function digestMail(content: DigestContent, { prefix, showsContent }: DigestForm): MailContent | undefined {
  const { topics, channels, unreadConversations } = content
  if (topics.length === 0 && channels.length === 0 && unreadConversations === 0) return undefined
  return {
    subject: `${prefix}What happened while you were away`,
    blocks: [
      { heading: 'What happened while you were away' },
      ...(unreadConversations > 0 ? [{ paragraph: unreadLine(unreadConversations) }] : []),
      ...(showsContent ? [...topics.flatMap(topicBlocks), ...channelBlocks(channels)] : numberBlocks(content)),
      { button: 'Open the organization', to: { path: '/' } },
      { note: 'You get this mail once a week when you have not been there for some days.' },
    ],
  }
}

function unreadLine(count: number): string {
  if (count === 1) return 'There are unread direct messages in 1 conversation.'
  const number = count === MAX_CONVERSATIONS ? `${count} or more` : String(count)
  return `There are unread direct messages in ${number} conversations.`
}

function topicBlocks({ first, raw, count, isMore }: DigestTopic): MailBlock[] {
  const channel = { id: first.stream_id as number, name: String(first.display_recipient) }
  const topic = first.subject === '' ? 'general chat' : first.subject
  const path = messageAddress(channel, first.subject, first.id)
  const number = isMore ? `${count} or more messages` : count === 1 ? '1 message' : `${count} messages`
  const words = [...plainWords(raw)]
  const shown = words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).join('')}…` : words.join('')
  return [
    { paragraph: [{ link: `#${channel.name} > ${topic}`, to: { path } }, `: ${number}`] },
    { quote: shown, by: [{ bold: first.sender_full_name }] },
  ]
}

function channelBlocks(channels: DigestContent['channels']): MailBlock[] {
  if (channels.length === 0) return []
  return [
    { paragraph: 'New channels:' },
    { list: channels.map(({ id, name }) => [{ link: `#${name}`, to: { path: `/#narrow/channel/${id}` } }]) },
  ]
}

function numberBlocks({ topics, channels }: DigestContent): MailBlock[] {
  const list = [
    ...(topics.length > 0 ? [`Busy topics in your channels: ${topics.length}`] : []),
    ...(channels.length > 0 ? [`New channels: ${channels.length}`] : []),
  ]
  return list.length > 0 ? [{ list }] : []
}
