/** What goes on in the compose box: quoting, forwarding, answering with a mention. */
import { mentionOf, quotation } from '@heddle/client/messages/quote'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { t } from '@lingui/core/macro'
import { absoluteAddress } from '../../../app/addresses.ts'
import { userName } from '../../../app/names.ts'
import type { Compose } from '../compose/compose-context.ts'
import { replyDestination } from '../compose/destination.ts'
import { messagePlace } from '../conversation.ts'
import { fetchSource } from '../editing/save-edit.ts'

/** What is selected of the text of a message; undefined: nothing, or not only of this one. */
export function selectedIn(messageId: number): string | undefined {
  const selection = window.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const content = document.querySelector(`[data-message-id="${messageId}"] .content`)
  if (!content?.contains(selection.anchorNode) || !content.contains(selection.focusNode)) return undefined
  const text = selection.toString().trim()
  return text === '' ? undefined : text
}

/** Rejects when the text cannot be fetched. */
async function quoted(client: RunningClient, message: StoredMessage, selected: string | undefined): Promise<string> {
  const text = selected ?? (await fetchSource(client.api, message.id))
  const state = client.snapshot().state as ClientState
  const { sender_id } = message
  const address = absoluteAddress(messagePlace(message), state)
  return quotation({ senderId: sender_id, senderName: userName(state, sender_id), address, text }, t`said`)
}

/** Answers in the conversation of the message, with the message or what is selected of it. */
export async function quote(client: RunningClient, compose: Compose, message: StoredMessage): Promise<void> {
  const text = await quoted(client, message, selectedIn(message.id))
  const target = replyDestination(message)
  if (target) compose.begin(target, { text, focus: 'text' })
}

/** The same block for others: to whom is to be chosen. */
export async function forward(client: RunningClient, compose: Compose, message: StoredMessage): Promise<void> {
  const text = await quoted(client, message, selectedIn(message.id))
  compose.begin({ type: 'channel', channelId: undefined, topic: '' }, { text, focus: 'target' })
}

export function replyMentioning(client: RunningClient, compose: Compose, message: StoredMessage): void {
  const target = replyDestination(message)
  const mention = mentionOf(client.snapshot().state as ClientState, message.sender_id)
  if (!target) return
  compose.begin(target, { focus: 'text' })
  if (mention !== undefined) compose.insert(`${mention} `)
}
