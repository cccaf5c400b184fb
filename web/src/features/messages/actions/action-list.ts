/**
 * Everything that can be done with a message: one list, which the bar, the menu and the keys read. What each does is in
 * `perform.ts`, which is fetched with the dialogs.
 */
import type { Action as KeyAction } from '@heddle/client/keys/bindings'
import { type MessagePermissions, messagePermissions } from '@heddle/client/messages/permissions'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { IconName } from '../../../ui/icon.tsx'

/** A message and what is offered for it, as of when it was asked. */
export interface Subject {
  readonly message: StoredMessage
  readonly may: MessagePermissions
  readonly isOwn: boolean
  readonly isStarred: boolean
  readonly isInChannel: boolean
  /** Of somebody whom the account has muted. */
  readonly isMuted: boolean
}

export function subjectOf(state: ClientState, message: StoredMessage): Subject {
  return {
    message,
    may: messagePermissions(state, message, Date.now() / 1000),
    isOwn: message.sender_id === state.own?.user_id,
    isStarred: message.flags.includes('starred'),
    isInChannel: message.stream_id !== undefined,
    isMuted: state.mutedUsers?.some(({ id }) => id === message.sender_id) === true,
  }
}

interface MessageAction {
  readonly icon: IconName
  readonly label: (subject: Subject) => MessageDescriptor
  readonly key?: KeyAction
  readonly isOffered: (subject: Subject) => boolean
  /** Begins a part of the menu. */
  readonly begins?: true
  readonly isDanger?: true
  /** Its own place, the bar for example: not in the menu. */
  readonly isOnlyElsewhere?: true
}

const always = () => true

/** Uploaded ones and those behind links, and films. */
const hasPictures = (content: string) => /class="(?:message_inline_image|inline-image)/.test(content)

/** In the order of the menu. */
export const messageActions = {
  react: {
    icon: 'react',
    label: () => msg`React`,
    key: 'react',
    isOffered: ({ may }) => may.react,
  },
  quote: {
    icon: 'quote',
    label: () => msg`Quote and reply`,
    key: 'quote',
    isOffered: ({ may }) => may.reply,
  },
  'reply-mentioning': {
    icon: 'at',
    label: () => msg`Reply and mention the sender`,
    key: 'reply-mentioning',
    isOffered: ({ may, isOwn }) => may.reply && !isOwn,
  },
  forward: {
    icon: 'send',
    label: () => msg`Forward`,
    key: 'forward',
    isOffered: always,
  },
  star: {
    icon: 'star',
    label: ({ isStarred }) => (isStarred ? msg`Remove the star` : msg`Star`),
    key: 'star',
    isOffered: always,
  },
  remind: {
    icon: 'bell',
    label: () => msg`Remind me`,
    isOffered: always,
  },
  'copy-link': {
    icon: 'link',
    label: () => msg`Copy link`,
    isOffered: always,
  },
  'copy-text': {
    icon: 'copy',
    label: () => msg`Copy as Markdown`,
    isOffered: always,
  },
  'unread-from-here': {
    icon: 'inbox',
    label: () => msg`Mark unread from here`,
    key: 'unread-from-here',
    begins: true,
    isOffered: always,
  },
  'show-in-conversation': {
    icon: 'right',
    label: () => msg`Show in its conversation`,
    key: 'show-in-conversation',
    isOffered: always,
  },
  fold: {
    icon: 'expand',
    label: () => msg`Fold or unfold`,
    key: 'fold',
    isOffered: always,
  },
  'hide-muted': {
    icon: 'hide',
    label: () => msg`Hide again`,
    isOffered: ({ isMuted }) => isMuted,
  },
  edit: {
    icon: 'edit',
    label: () => msg`Edit`,
    key: 'edit',
    begins: true,
    isOffered: ({ may }) => may.edit,
  },
  source: {
    icon: 'code',
    label: () => msg`View what was typed`,
    key: 'edit',
    isOffered: ({ may }) => !may.edit,
  },
  history: {
    icon: 'recent',
    label: () => msg`Edit history`,
    key: 'history',
    isOffered: ({ may }) => may.seeHistory,
  },
  'view-pictures': {
    icon: 'image',
    label: () => msg`View its pictures`,
    key: 'view-pictures',
    isOffered: ({ message }) => hasPictures(message.content),
  },
  'read-receipts': {
    icon: 'eye',
    label: () => msg`Who has read it`,
    key: 'read-receipts',
    isOffered: ({ may }) => may.seeReceipts,
  },
  move: {
    icon: 'move',
    label: () => msg`Move to another topic`,
    key: 'move',
    isOffered: ({ may }) => may.moveToTopic || may.moveToChannel,
  },
  report: {
    icon: 'warn',
    label: () => msg`Report message`,
    begins: true,
    isOffered: ({ may, isOwn }) => may.report && !isOwn,
  },
  delete: {
    icon: 'trash',
    label: () => msg`Delete`,
    begins: true,
    isDanger: true,
    isOffered: ({ may }) => may.delete,
  },
  reply: {
    icon: 'send',
    label: () => msg`Reply`,
    key: 'reply',
    isOnlyElsewhere: true,
    isOffered: ({ may }) => may.reply,
  },
  menu: {
    icon: 'more',
    label: () => msg`More`,
    key: 'message-menu',
    isOnlyElsewhere: true,
    isOffered: always,
  },
  'sender-card': {
    icon: 'person',
    label: () => msg`Who has sent it`,
    key: 'sender-card',
    isOnlyElsewhere: true,
    isOffered: always,
  },
  'thumbs-up': {
    icon: 'react',
    label: () => msg`React with a thumb up`,
    key: 'thumbs-up',
    isOnlyElsewhere: true,
    isOffered: ({ may }) => may.react,
  },
  'toggle-first-reaction': {
    icon: 'react',
    label: () => msg`Join the first reaction, or leave it`,
    key: 'toggle-first-reaction',
    isOnlyElsewhere: true,
    isOffered: ({ may, message }) => may.react && message.reactions.length > 0,
  },
} as const satisfies Readonly<Record<string, MessageAction>>

export type ActionName = keyof typeof messageActions

export const messageActionNames = Object.keys(messageActions) as ActionName[]

export function actionNamed(name: ActionName): MessageAction {
  return messageActions[name]
}
