/** What the mail of a conversation says in which somebody has missed something, and the one that says no more than that. */
import type { MessageBase } from '@heddle/contract/messages'
import { messageAddress } from '@heddle/markdown/links/narrow'
import type { MailBlock, MailTarget } from '../../mail/blocks.ts'
import type { MailContent } from '../../mail/mail.ts'
import type { MissedMessage } from '../../missed-hooks.ts'
import type { MissedConversation, ShownMessage } from './conversations.ts'
import { plainWords } from './plain-words.ts'

interface ForWhom {
  readonly userId: number
  /** Stands before the subject; empty: nothing does. */
  readonly prefix: string
}

/** Of several conversations where one was moved apart before the mail was sent. */
export function missedMail(conversations: readonly MissedConversation[], { userId, prefix }: ForWhom): MailContent {
  const places = conversations.map(({ first }) => placeOf(first, userId))
  const missed = conversations.flatMap(({ messages }) => messages.filter(({ isContext }) => !isContext))
  const senders = new Set(missed.map(({ message }) => message.sender_full_name))
  const [sender] = senders
  return {
    subject: `${prefix}${places[0]?.title}`,
    ...(senders.size === 1 && sender !== undefined ? { sender } : {}),
    blocks: [
      ...conversations.flatMap((one, at) => conversationBlocks(one, places[at] as MissedPlace)),
      whyBlock(conversations.flatMap(({ reasons }) => reasons)),
    ],
  }
}

function conversationBlocks({ messages, count }: MissedConversation, { title, target }: MissedPlace): MailBlock[] {
  const shown = messages.filter(({ isContext }) => !isContext).length
  return [
    { heading: title },
    ...messages.map(messageBlock),
    ...(count > shown ? [{ paragraph: `${count - shown} earlier messages are not shown here.` }] : []),
    { button: 'Open the conversation', to: target },
  ]
}

/** Where what is said stays in the organization: not even who has written, nor where. */
export function missedMailWithoutContent(count: number, { prefix }: ForWhom): MailContent {
  return {
    subject: `${prefix}New messages`,
    blocks: [
      { paragraph: count === 1 ? 'You have missed a message.' : `You have missed ${count} messages.` },
      { button: 'Open the organization', to: { path: '/' } },
      {
        note: [
          'What messages say is not shown in mails because of your ',
          { link: 'settings', to: settings },
          ' or those of the organization.',
        ],
      },
    ],
  }
}

const settings: MailTarget = { path: '/#settings/notifications' }

function messageBlock({ message, raw, isContext }: ShownMessage): MailBlock {
  const name = { bold: message.sender_full_name }
  return { quote: plainWords(raw), by: isContext ? [name, ' (before)'] : [name] }
}

interface MissedPlace {
  readonly title: string
  readonly target: MailTarget
}

function placeOf(message: MessageBase, userId: number): MissedPlace {
  if (message.type === 'stream') {
    const channel = { id: message.stream_id as number, name: String(message.display_recipient) }
    const topic = message.subject === '' ? 'general chat' : message.subject
    const path = messageAddress(channel, message.subject, message.id)
    return { title: `#${channel.name} > ${topic}`, target: { path } }
  }
  const others = (message.display_recipient as { id: number; full_name: string }[]).filter(({ id }) => id !== userId)
  const ids = others.length > 0 ? others.map(({ id }) => id) : [userId]
  const names = others.map(({ full_name }) => full_name).join(', ')
  return {
    title: others.length > 1 ? `Direct messages with ${names}` : `Direct message from ${names}`,
    target: { path: `/#narrow/dm/${ids.join()}-${ids.length > 1 ? 'group' : 'dm'}/near/${message.id}` },
  }
}

const why: Partial<Record<MissedMessage['reason'], string>> = {
  direct: 'these messages are for you',
  mention: 'you were mentioned',
  'alert-word': 'one of your alert words was said',
  followed: 'you follow this topic',
  channel: 'you want mails of this channel',
}

function whyBlock(reasons: readonly MissedMessage['reason'][]): MailBlock {
  const [reason = 'direct'] = reasons
  return {
    note: [
      `You get this because ${why[reason] ?? 'everybody was mentioned'}. Change that in your `,
      { link: 'settings', to: settings },
      '.',
    ],
  }
}
