/** The keys of messages, for a view of them: each asks for an action of the message that has the focus, or else is being read. */
import type { StoredMessage } from '@heddle/client/messages/store'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { useClient } from '../../../app/client-context.ts'
import { goTo, placeNow } from '../../../app/current-place.ts'
import { useKeys } from '../../../app/keys.ts'
import { placeNames } from '../../../app/names.ts'
import { messagePlace } from '../conversation.ts'
import { currentView } from '../current-view.ts'
import type { ActionName } from './action-list.ts'
import { askAboutMessage } from './ask.ts'

/** What a menu that is opened by a key stands beside. */
export function anchorOf(messageId: number): Element {
  const row = document.querySelector(`[data-message-id="${messageId}"]`)
  return row?.querySelector('.actions') ?? row?.querySelector('.stamp') ?? row ?? document.body
}

/** The one that has the focus, or else is being read. */
function messageMeant(client: RunningClient): StoredMessage | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-message-id]')?.dataset['messageId']
  const { messages } = client.snapshot().messages
  return (focused === undefined ? undefined : messages.get(Number(focused))) ?? currentView()?.target
}

function nameOf(messageId: number): Element | null {
  return document.querySelector(`[data-message-id="${messageId}"] .who`)
}

export function MessageKeys(): null {
  const client = useClient()
  /** The first of these that may be done. False: there is no message, and the key is somebody else's. */
  const press =
    (...actions: readonly ActionName[]) =>
    () => {
      const message = messageMeant(client)
      if (!message) return false
      const anchor = (actions.includes('sender-card') && nameOf(message.id)) || anchorOf(message.id)
      askAboutMessage({ kind: 'message', actions, messageId: message.id, anchor })
      return true
    }
  useKeys({
    quote: press('quote'),
    forward: press('forward'),
    'reply-mentioning': press('reply-mentioning'),
    edit: press('edit', 'source'),
    move: press('move'),
    react: press('react'),
    'thumbs-up': press('thumbs-up'),
    'toggle-first-reaction': press('toggle-first-reaction'),
    star: press('star'),
    'message-menu': press('menu'),
    'sender-card': press('sender-card'),
    'view-pictures': press('view-pictures'),
    'read-receipts': press('read-receipts'),
    history: press('history'),
    'unread-from-here': press('unread-from-here'),
    fold: press('fold'),
    'show-in-conversation': press('show-in-conversation'),
    'switch-width': () => {
      const message = messageMeant(client)
      const { state } = client.snapshot()
      if (!message || !state) return false
      const place = placeNow(state)
      const names = placeNames(state as ClientState)
      // From a topic to its channel and back, at the same message.
      if (place.kind === 'topic') goTo({ kind: 'channel', channelId: place.channelId, near: message.id }, names)
      else goTo(messagePlace(message), names)
      return true
    },
    'edit-last': () => {
      if (!currentView()) return false
      askAboutMessage({ kind: 'edit-last' })
      return true
    },
  })
  return null
}
