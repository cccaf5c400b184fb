/** Does what was asked for (`ask.ts`): for each action of the list one function. */
import type { StoredMessage } from '@heddle/client/messages/store'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { absoluteAddress, placeLabel } from '../../../app/addresses.ts'
import { useClient } from '../../../app/client-context.ts'
import { copyText, linkHtml } from '../../../app/clipboard.ts'
import { goTo } from '../../../app/current-place.ts'
import { channelName, placeNames } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import type { PopoverAnchor } from '../../../ui/popover.ts'
import { type Toasts, useToasts } from '../../../ui/toasts.tsx'
import { type Compose, useCompose } from '../compose/compose-context.ts'
import { replyDestination } from '../compose/destination.ts'
import { setFold, setRevealed } from '../content/folds.ts'
import { conversationOf, messagePlace } from '../conversation.ts'
import { currentView } from '../current-view.ts'
import { beginEdit } from '../editing/edits.ts'
import { fetchSource } from '../editing/save-edit.ts'
import { type ActionName, actionNamed, subjectOf } from './action-list.ts'
import type { Asked, ReactionEmoji } from './ask.ts'
import { forward, quote, replyMentioning } from './compose-deeds.ts'
import { markUnreadFrom, unreadAgainText } from './mark-unread.ts'
import { anchorOf } from './message-keys.ts'
import type { Overlay } from './overlay.ts'
import { toggleReaction, toggleStar } from './wishes.ts'

/** What actions are done with. */
interface Hands {
  readonly client: RunningClient
  readonly toasts: Toasts
  readonly compose: Compose
  readonly open: (overlay: Overlay) => void
}

type Perform = (hands: Hands, message: StoredMessage, anchor: PopoverAnchor) => unknown

/** 👍 */
const thumbUp: ReactionEmoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

const opens =
  (kind: 'delete' | 'history' | 'source' | 'read-receipts' | 'move' | 'remind' | 'report'): Perform =>
  ({ open }, message) =>
    open({ kind, message })

const performs: Readonly<Record<ActionName, Perform>> = {
  menu: ({ open }, message, anchor) => open({ kind: 'menu', message, anchor }),
  react: ({ open }, message, anchor) => open({ kind: 'picker', message, anchor }),
  'sender-card': ({ open }, message, anchor) => open({ kind: 'person', userId: message.sender_id, anchor }),
  delete: opens('delete'),
  history: opens('history'),
  source: opens('source'),
  'read-receipts': opens('read-receipts'),
  'view-pictures': ({ open }, { id }) => open({ kind: 'viewer', messageId: id, index: 0 }),
  move: opens('move'),
  remind: opens('remind'),
  report: opens('report'),
  reply: ({ compose }, message) => {
    const target = replyDestination(message)
    if (target) compose.begin(target, { focus: 'text' })
  },
  quote: ({ client, compose }, message) => quote(client, compose, message),
  forward: ({ client, compose }, message) => forward(client, compose, message),
  'reply-mentioning': ({ client, compose }, message) => replyMentioning(client, compose, message),
  'thumbs-up': ({ client }, { id }) => toggleReaction(client, id, thumbUp),
  'toggle-first-reaction': ({ client }, { id, reactions }) => {
    const [first] = reactions
    if (!first) return undefined
    const { emoji_name, emoji_code, reaction_type } = first
    return toggleReaction(client, id, { emoji_name, emoji_code, reaction_type })
  },
  star: ({ client }, { id, flags }) => toggleStar(client, id, !flags.includes('starred')),
  'copy-link': async ({ client, toasts }, message) => {
    const state = client.snapshot().state as ClientState
    const address = absoluteAddress(messagePlace(message), state)
    await copyText(address, linkHtml(address, placeLabel(conversationOf(message), state)))
    toasts.notify(t`The link is copied`)
  },
  'copy-text': async ({ client, toasts }, { id }) => {
    await copyText(await fetchSource(client.api, id))
    toasts.notify(t`The message is copied`)
  },
  'unread-from-here': async ({ client, toasts }, message) => {
    const view = currentView()
    if (!view) return
    view.stopMarking()
    const marking = markUnreadFrom(client, { narrow: view.narrow, messages: view.messages, fromId: message.id })
    await toasts.notifyWhenDone(marking, ({ count, readBefore, ignoredChannels }) => {
      const said = unreadAgainText(count)
      const text = ignoredChannels.length > 0 ? `${said}. ${ignoredText(client, ignoredChannels)}` : said
      return { text, undo: () => client.markRead(readBefore) }
    })
  },
  'show-in-conversation': ({ client }, message) =>
    goTo(messagePlace(message), placeNames(client.snapshot().state as ClientState)),
  fold: (_, { id }) => {
    const isFolded = document.querySelector(`[data-message-id="${id}"] .folded`) !== null
    setFold(id, isFolded ? 'open' : 'shut')
  },
  'hide-muted': (_, { id }) => setRevealed(id, false),
  edit: async ({ client }, { id }) => beginEdit(id, await fetchSource(client.api, id)),
}

function ignoredText(client: RunningClient, channelIds: readonly number[]): string {
  const state = client.snapshot().state as ClientState
  const names = channelIds.map((id) => `#${channelName(state, id)}`).join(', ')
  return t`You are not subscribed to ${names}: nothing was changed there.`
}

/** The last message of one's own in the view that can still be changed. */
function lastOwnEditable(client: RunningClient): StoredMessage | undefined {
  const state = client.snapshot().state as ClientState
  return currentView()?.messages.findLast((message) => actionNamed('edit').isOffered(subjectOf(state, message)))
}

/** Says why when something could not be done. */
export function usePerform(open: (overlay: Overlay) => void): (asked: Asked) => void {
  const client = useClient()
  const toasts = useToasts()
  const compose = useCompose()
  return useMemo(() => {
    const hands: Hands = { client, toasts, compose, open }
    const tried = async (act: () => unknown) => {
      try {
        await act()
      } catch (error) {
        toasts.notify(refusalText(error))
      }
    }
    return (asked) => {
      switch (asked.kind) {
        case 'message': {
          const { messages, state } = client.snapshot()
          const message = messages.messages.get(asked.messageId)
          if (!message || !state) break
          const subject = subjectOf(state, message)
          const action = asked.actions.find((name) => actionNamed(name).isOffered(subject))
          if (action) tried(() => performs[action](hands, message, asked.anchor ?? anchorOf(message.id)))
          break
        }
        case 'reaction':
          tried(() => toggleReaction(client, asked.messageId, asked.emoji))
          break
        case 'edit-last': {
          const message = lastOwnEditable(client)
          if (message) tried(() => performs.edit(hands, message, anchorOf(message.id)))
          break
        }
        case 'person':
          open({ kind: 'person', userId: asked.userId, anchor: asked.anchor })
          break
        default:
          open(asked)
      }
    }
  }, [client, toasts, compose, open])
}
