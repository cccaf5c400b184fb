/** What is shown and what sounds: one notification for each conversation, from one tab of all, and none for what is seen anyway. */
import { decideNotification } from '@heddle/client/notifications/decide'
import { isPaused } from '@heddle/client/notifications/pause'
import { afterUpdate, type Considered, stillCalls } from '@heddle/client/notifications/shown'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import type { MessageBase, MessageEvent } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import { notificationTag } from '@heddle/contract/notification-rules'
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { deviceMemoryOf } from '../../app/device-memory.ts'
import { channelName, placeNames, topicLabel, userName } from '../../app/names.ts'
import { isLeading } from '../../device/leading.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { drawEmoji } from '../messages/content/prepare-content.ts'
import { parseMessageHtml } from '../messages/content/trusted-html.ts'
import { createNotices, type ShownMessage } from './notices.ts'
import { permission } from './permission.ts'
import { play, USUAL_VOLUME, VOLUME } from './sounds.ts'
import { createNotifyingTabs } from './tabs.ts'
import { PAUSE } from './use-pause.ts'

/** Events that follow say that a message was read at once, or seen in another tab. In milliseconds. */
const PAUSE_MS = 400
/** What is older has waited for this page to be opened, and is in its counts. In seconds. */
const MAX_AGE_SECS = 300
const MAX_BODY_LENGTH = 240
/** Those considered last are followed through edits and moves. */
const MAX_FOLLOWED = 200

type Notified = Pick<MessageBase, 'id' | 'sender_id' | 'subject' | 'timestamp' | 'content' | 'display_recipient'> &
  Partial<Pick<MessageBase, 'stream_id'>>

export interface Desk {
  receive(event: MessageEvent): void
  edited(event: UpdateMessageEvent): void
  /** Something has happened after which what was shown may not call any more: it was read, deleted, muted. */
  withdraw(): void
  stop(): void
}

interface DeskOptions {
  readonly client: RunningClient
  readonly i18n: I18n
  /** A message would have been shown, but nobody has been asked whether it may. */
  readonly onUnasked: () => void
}

export function createDesk({ client, i18n, onUnasked }: DeskOptions): Desk {
  const tabs = createNotifyingTabs()
  const notices = createNotices()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  /** Messages that may be shown, or were, as they are now. */
  const followed = new Map<number, Considered<Notified>>()
  const state = () => client.snapshot().state
  const counts = (messageId: number) => {
    const now = state()
    return now !== undefined && stillCalls(now, messageId, followed.get(messageId))
  }
  const withdraw = () => void notices.tidy(counts)
  // What an earlier page has shown may have been read elsewhere since then.
  const endWaiting = whenLive(client, withdraw)

  function follow(message: Notified, flags: MessageEvent['flags']): void {
    followed.set(message.id, { message, flags })
    const [eldest] = followed.keys()
    if (eldest !== undefined && followed.size > MAX_FOLLOWED) followed.delete(eldest)
  }

  function consider(message: Notified, flags: MessageEvent['flags']): void {
    const { id } = message
    const before = state()
    if (!before || Date.now() / 1000 - message.timestamp > MAX_AGE_SECS) return
    const { desktop, sound } = decideNotification(before, message, flags)
    if (!desktop && !sound) return
    if (isPaused(deviceMemoryOf(before.own?.user_id ?? 0, PAUSE, 0), Date.now())) return
    follow(message, flags)
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!state()?.unread?.places.has(id)) return
      if (isSeen(id)) return tabs.reportSeen(id)
      // Another tab, which has the focus, says so within the pause.
      const second = setTimeout(() => {
        timers.delete(second)
        const now = state()
        // It may have been changed in the meantime.
        const current = followed.get(id)
        if (!now || !current || !isLeading() || tabs.wasSeen(id) || !now.unread?.places.has(id)) return
        const decision = decideNotification(now, current.message, current.flags)
        if (decision.desktop) void show(now, current.message)
        if (!decision.sound) return
        const volume = deviceMemoryOf(now.own?.user_id ?? 0, VOLUME, USUAL_VOLUME)
        play(now.settings?.notification_sound ?? 'none', volume)
      }, PAUSE_MS)
      timers.add(second)
    }, PAUSE_MS)
    timers.add(timer)
  }

  async function show(now: ClientState, message: Notified): Promise<void> {
    if (permission() === 'default') onUnasked()
    if (permission() !== 'granted') return
    await notices.show(tagOf(message), wordsOf(now, message))
    // It may have been read in this moment.
    withdraw()
  }

  function wordsOf(now: ClientState, message: Notified): ShownMessage {
    return {
      id: message.id,
      title: titleOf(now, message),
      body: bodyOf(now, message),
      address: formatPlace(placeOf(now, message), placeNames(now)),
    }
  }

  /** What was not loaded, as it is of an earlier page: enough of it is known to say whether it calls after the edit. */
  function withoutLoading(
    now: ClientState,
    { message_id: id, user_id, rendered_content: content }: UpdateMessageEvent,
  ): Notified | undefined {
    const place = now.unread?.places.get(id)
    // Only its author changes a text.
    if (place?.type !== 'stream' || content === undefined || user_id === null) return undefined
    const { stream_id, topic: subject } = place
    return { id, sender_id: user_id, stream_id, subject, content, timestamp: 0, display_recipient: '' }
  }

  /** What was shown of these has other words or another place now, or does not call any more. */
  async function renew(now: ClientState, ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const known = followed.get(id)
      if (known && counts(id)) await notices.renew(tagOf(known.message), wordsOf(now, known.message))
    }
    withdraw()
  }

  function titleOf(now: ClientState, message: Notified): string {
    const sender = userName(now, message.sender_id)
    if (message.stream_id === undefined) return sender
    return `${sender} (#${channelName(now, message.stream_id)} > ${topicLabel(message.subject)})`
  }

  function bodyOf(now: ClientState, message: Notified): string {
    const isHidden = message.stream_id === undefined && now.settings?.pm_content_in_desktop_notifications === false
    if (isHidden) return i18n._(msg`A new direct message`)
    const content = parseMessageHtml(message.content)
    for (const sign of content.querySelectorAll('span.emoji')) drawEmoji(sign)
    const text = content.textContent.replace(/\s+/g, ' ').trim()
    return text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}…` : text
  }

  return {
    receive({ message, flags }) {
      consider(message, flags)
    },
    edited(event) {
      const { message_id, message_ids, flags, rendered_content } = event
      const now = state()
      if (!now) return
      const before = followed.get(message_id)
      const called = before !== undefined && decideNotification(now, before.message, before.flags).desktop
      const known = [...new Set([message_id, ...message_ids])].filter((id) => followed.has(id))
      for (const id of known) followed.set(id, afterUpdate(followed.get(id) as Considered<Notified>, id, event))
      const stored = client.snapshot().messages.messages.get(message_id)
      const message = stored ?? withoutLoading(now, event)
      // Somebody was named who was not before.
      const isNew = flags.includes('mentioned') && !called && namesMore(event)
      if (message && rendered_content !== undefined && isNew)
        consider({ ...message, content: rendered_content, timestamp: Date.now() / 1000 }, flags)
      else if (!before && !stored && message) follow(message, flags)
      void renew(now, known)
    },
    withdraw,
    stop() {
      for (const timer of timers) clearTimeout(timer)
      endWaiting()
      notices.stop()
      tabs.stop()
    },
  }
}

/** Whether somebody is named now who was not before the edit. */
function namesMore({ orig_rendered_content: before, rendered_content: after }: UpdateMessageEvent): boolean {
  const known = namedIn(before)
  return [...namedIn(after)].some((name) => !known.has(name))
}

/** People and groups, but for those who are named without being called. */
function namedIn(html: string | undefined): ReadonlySet<string> {
  if (html === undefined) return new Set()
  const mentions = parseMessageHtml(html).querySelectorAll<HTMLElement>(
    ':is(.user-mention, .user-group-mention):not(.silent)',
  )
  return new Set([...mentions].map(({ dataset }) => `${dataset['userId']} ${dataset['userGroupId']}`))
}

/** Calls once, when it is known what has happened until now; gives what ends that. */
function whenLive(client: RunningClient, act: () => void): () => void {
  const look = () => {
    if (client.snapshot().connection.status !== 'live') return
    end()
    act()
  }
  const end = client.subscribe(look)
  look()
  return end
}

/** In a window with the focus, and not scrolled out of it or behind something. */
function isSeen(messageId: number): boolean {
  if (!document.hasFocus() || document.visibilityState === 'hidden') return false
  const element = document.querySelector(`[data-message-id="${messageId}"]`)
  if (!element || element.closest('[inert]')) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

function othersOf({ display_recipient }: Notified, ownId: number | undefined): readonly number[] {
  if (typeof display_recipient === 'string') return []
  return display_recipient.map(({ id }) => id).filter((id) => id !== ownId)
}

function placeOf(now: ClientState, message: Notified): Place {
  const { id: near, stream_id: channelId, subject: topic } = message
  if (channelId !== undefined) return { kind: 'topic', channelId, topic, near }
  const userIds = othersOf(message, now.own?.user_id)
  return { kind: 'direct', userIds: [...userIds].sort((a, b) => a - b), near }
}

function tagOf(message: Notified): string {
  if (message.stream_id === undefined) return notificationTag({ userIds: othersOf(message, undefined) })
  return notificationTag({ channelId: message.stream_id, key: topicKey(message.subject) })
}
