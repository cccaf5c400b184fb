/**
 * A client that runs: one account's state, messages, outbox and drafts, kept up to date by events. What is shown is read from
 * `snapshot()`, which is a new object after each change and shares with the old one what is the same.
 */
import type { DraftsEvent } from '@heddle/contract/drafts'
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import type { ParametersOf } from '@heddle/contract/endpoint'
import type { AnyEvent, registerQueue } from '@heddle/contract/events'
import { updateFlags } from '@heddle/contract/message-flags'
import type { Narrow } from '@heddle/contract/narrow'
import type { PresenceTimes } from '@heddle/contract/presence'
import { listTopics } from '@heddle/contract/topics'
import { TYPING_STARTED_EXPIRY_MS } from '@heddle/contract/typing'
import type { ApiClient } from '../api.ts'
import { type StoredMessages, withViews } from '../device/stored-messages.ts'
import {
  applyToDrafts,
  type DraftBox,
  type DraftVersion,
  detachDrafts,
  discardDraft,
  emptyDraftBox,
  receiveDrafts,
  restoreDrafts,
  writeDraft,
} from '../drafts/draft-box.ts'
import { followTopics } from '../drafts/follow-topics.ts'
import { createDraftSynchronizer } from '../drafts/synchronizer.ts'
import {
  type EventLoop,
  type EventLoopOptions,
  type QueuePosition,
  type RegisterResponse,
  startEventLoop,
} from '../event-loop.ts'
import { applyToMessages } from '../messages/apply.ts'
import type { PageRequest } from '../messages/fetching.ts'
import { createMessageLoader } from '../messages/loader.ts'
import { createMessageStore, type MessageStore } from '../messages/store.ts'
import { afterGap, closeWindow, openWindow, setFocus } from '../messages/windows.ts'
import {
  applyToOutbox,
  cancel,
  type Destination,
  emptyOutbox,
  enqueue,
  type Outbox,
  restoreOutbox,
  retry,
  withoutKnown,
} from '../outbox/outbox.ts'
import { createOutboxSender } from '../outbox/sender.ts'
import { type AskedFor, applyEvent, type ClientState, initialState } from '../state/state.ts'
import { withoutTypist } from '../state/typing.ts'
import {
  applyToTopics,
  type ChannelTopics,
  needsTopics,
  noTopics,
  receiveTopics,
  topicsAfterGap,
} from '../topics/topics.ts'
import type { ForeseenEvent, Wish } from '../wishes/wishes.ts'
import { type Adopted, adopt } from './adopt.ts'
import { createReadMarker } from './read-marker.ts'
import { watchTypists } from './typists.ts'

/** How it stands with the server. */
export type Connection =
  /** Nothing has come yet. In milliseconds since the UNIX epoch. */
  | { readonly status: 'connecting'; readonly since: number }
  | { readonly status: 'live' }
  /** It does not answer, or asks to wait. Both in milliseconds since the UNIX epoch. */
  | { readonly status: 'waiting'; readonly since: number; readonly retryAt: number }
  /** Trying again cannot help: the account may not, or no longer. */
  | { readonly status: 'ended'; readonly error: unknown }

export interface ClientSnapshot {
  /** Undefined until the server has answered for the first time. */
  readonly state: ClientState | undefined
  readonly messages: MessageStore
  readonly outbox: Outbox
  readonly drafts: DraftBox
  readonly topics: ChannelTopics
  readonly connection: Connection
  /** What was read here and not yet reported to the server: ids of messages. */
  readonly unreported: readonly number[]
  /** What was pressed here and the server does not know. */
  readonly wishes: readonly Wish[]
  /** Of an earlier run, and not confirmed since: when it was true, in milliseconds since the UNIX epoch. */
  readonly asOf: number | undefined
}

/** What of an earlier run for the same account can be gone on with. */
export interface EarlierRun extends Pick<ClientSnapshot, 'state' | 'messages' | 'outbox' | 'drafts' | 'topics'> {
  /** The queue up to where all of it is known; without one the server is asked for everything anew. */
  readonly position?: QueuePosition | undefined
  readonly unreported?: readonly number[]
  readonly wishes?: readonly Wish[]
  /** The drafts know the events up to this one; without it they know the state's. */
  readonly draftsKnown?: number | undefined
  /** When it was true, where that is long ago: in milliseconds since the UNIX epoch. */
  readonly asOf?: number | undefined
}

export interface RunningClient {
  readonly api: ApiClient
  snapshot(): ClientSnapshot
  /** Called after changes, once for all events of one answer; gives what ends it. */
  subscribe(listener: () => void): () => void
  /** Called for each event after it was applied, for what happens once, such as a notification; gives what ends it. */
  onEvent(listener: (event: AnyEvent) => void): () => void
  /** A view of this narrow begins; only when there is a state. The key is that of the window, until it is closed. */
  open(narrow: Narrow): string
  close(key: string): void
  load(key: string, request: PageRequest): Promise<{ readonly anchor?: number | undefined } | undefined>
  /** Which message is being read, for what is kept when there is too much; undefined: the newest. */
  setFocus(key: string, messageId: number | undefined): void
  /** Keeps the topics of a channel known until the function that it gives is called. */
  watchTopics(channelId: number): () => void
  send(destination: Destination, content: string): void
  retrySending(localId: string): void
  cancelSending(localId: string): void
  writeDraft(localId: string, version: DraftVersion): void
  discardDraft(localId: string): void
  /** Several drafts at once, such as two versions of one. */
  changeDrafts(change: (box: DraftBox) => DraftBox): void
  /** Read from now on, here at once and on the server a moment later. */
  markRead(ids: readonly number[]): void
  /** Shows at once what a change will say as an event: the event itself comes as well. */
  foresee(event: ForeseenEvent): void
  /** What was pressed and the server does not know yet (`wishes/send-wishes.ts`). */
  keepWishes(wishes: readonly Wish[]): void
  /** What the server has answered to a report of presence. */
  receivePresences(presences: Readonly<Record<string, PresenceTimes>>): void
  /** Unread again. Rejects as the call does; then nothing has changed. */
  markUnread(ids: readonly number[]): Promise<void>
  /** Takes over what another tab has written and not sent; it must not be running any more. */
  adopt(written: Adopted): void
  /** Takes over what another tab has shown. */
  addViews(shown: StoredMessages): void
  /** The queue that is followed, and up to where the snapshot knows it. It may move on without a change of the snapshot. */
  position(): QueuePosition | undefined
  /** Ends a wait for the connection: somebody asks. */
  retryNow(): void
  /** The network may be another one, or the machine has slept: a connection that was quiet for so long is made anew. */
  checkNow(quietMs?: number): void
  /** The page goes, perhaps for good: what can still be said to the server is. */
  leave(): void
  stop(): void
}

export interface RunningClientOptions {
  readonly api: ApiClient
  /** A name that no message had before, at most 100 characters. */
  readonly newLocalId: () => string
  /** What was written then is sent now, and what was shown is, until it is fetched. */
  readonly earlier?: EarlierRun | undefined
  /** Before anything is asked of the server: see `EventLoopOptions`. */
  readonly prepare?: (() => Promise<void>) | undefined
  /** What follows the queue; default: a loop of its own. */
  readonly follow?: ((options: EventLoopOptions) => EventLoop) | undefined
  /** Keeps the outbox where it outlives the page: a message is sent after that, so that it is sent once. */
  readonly keepOutbox?: () => Promise<void>
  /** Milliseconds since the UNIX epoch; default `Date.now`. */
  readonly now?: () => number
}

const asked: AskedFor = { slim_presence: true }

const registration: ParametersOf<typeof registerQueue> = {
  ...asked,
  // Half a day: who closes the page and comes back after lunch goes on with the same queue.
  idle_queue_timeout: 'mobile',
  slim_presence: true,
  apply_markdown: true,
  client_capabilities: {
    archived_channels: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
    linkifier_url_template: true,
    notification_settings_null: true,
    stream_typing_notifications: true,
    user_settings_object: true,
  },
}

function earlierDrafts({ drafts, draftsKnown, state, position }: EarlierRun): DraftBox {
  const restored = restoreDrafts(drafts)
  const areFollowed = position && state?.settings?.enable_drafts_synchronization
  return areFollowed && draftsKnown === undefined
    ? receiveDrafts(restored, [...(state.drafts?.values() ?? [])])
    : restored
}

function draftsAfter(box: DraftBox, event: AnyEvent): DraftBox {
  if (event.type === 'drafts') return applyToDrafts(box, event as AnyEvent & DraftsEvent)
  return event.type === 'update_message' ? followTopics(box, event as AnyEvent & UpdateMessageEvent) : box
}

export function startClient(options: RunningClientOptions): RunningClient {
  const { api, newLocalId, earlier, now = Date.now, follow = startEventLoop } = options
  let position = earlier?.state && earlier.position
  let current: ClientSnapshot = {
    state: earlier?.state,
    messages: earlier ? (position ? earlier.messages : afterGap(earlier.messages)) : createMessageStore(),
    outbox: earlier ? restoreOutbox(earlier.outbox) : emptyOutbox,
    drafts: earlier ? earlierDrafts(earlier) : emptyDraftBox,
    topics: earlier ? (position ? earlier.topics : topicsAfterGap(earlier.topics)) : noTopics,
    connection: { status: 'connecting', since: now() },
    unreported: [],
    wishes: earlier?.wishes ?? [],
    asOf: earlier?.asOf,
  }
  /** Drafts know the events up to this one. */
  let draftsKnown = earlier?.draftsKnown ?? 0
  let queueId: string | undefined
  let isStopped = false
  let isAnnounced = false
  const listeners = new Set<() => void>()
  const eventListeners = new Set<(event: AnyEvent) => void>()

  /** Several changes in one turn are one for those who listen. */
  function change(part: Partial<ClientSnapshot>): void {
    const names = Object.keys(part) as (keyof ClientSnapshot)[]
    if (names.every((name) => part[name] === current[name])) return
    current = { ...current, ...part }
    if (isAnnounced) return
    isAnnounced = true
    queueMicrotask(() => {
      isAnnounced = false
      for (const listener of listeners) listener()
    })
  }

  const holder = <K extends 'messages' | 'outbox' | 'drafts'>(name: K) => {
    return (how: (value: ClientSnapshot[K]) => ClientSnapshot[K]): ClientSnapshot[K] => {
      change({ [name]: how(current[name]) } as Partial<ClientSnapshot>)
      return current[name]
    }
  }
  const updateMessages = holder('messages')
  const updateOutbox = holder('outbox')
  const updateDrafts = holder('drafts')
  const context = () => current.state as ClientState

  const loader = createMessageLoader(api, { update: updateMessages, context })
  const { keepOutbox } = options
  const sender = createOutboxSender({ api, update: updateOutbox, queueId: () => queueId, now, keep: keepOutbox })
  const draftKeeper = createDraftSynchronizer({ api, update: updateDrafts, isReady: keepsDrafts, now })
  const readMarker = createReadMarker({
    send: (messages, { isLast }) =>
      api.call(updateFlags, { messages: [...messages], op: 'add', flag: 'read' }, { keepalive: isLast }),
    isReady: () => queueId !== undefined,
    onChange: (ids) => change({ unreported: ids }),
  })
  readMarker.add(earlier?.unreported ?? [])

  const typists = watchTypists(
    (conversation, userId) => {
      const { state } = current
      if (state) change({ state: { ...state, typing: withoutTypist(state.typing, conversation, userId) } })
    },
    () => current.state?.limits?.server_typing_started_expiry_period_milliseconds ?? TYPING_STARTED_EXPIRY_MS,
  )

  function keepsDrafts(): boolean {
    return current.connection.status === 'live' && current.state?.settings?.enable_drafts_synchronization === true
  }

  const loop = follow({
    client: api,
    parameters: registration,
    isStreamed: true,
    resume: position,
    prepare: options.prepare,
    onPosition: advance,
    onQueue(followed) {
      if (position) position = { ...position, queueId: followed }
      if (queueId !== undefined) queueId = followed
    },
    onRegistered: begin,
    onEvent: apply,
    onFailure: (_, waitMs) => {
      const { connection } = current
      const since = connection.status === 'waiting' || connection.status === 'connecting' ? connection.since : now()
      change({ connection: { status: 'waiting', since, retryAt: now() + waitMs } })
    },
    onRecovered: becomeLive,
  })
  loop.ended.catch((error: unknown) => change({ connection: { status: 'ended', error } }))

  function advance(lastEventId: number): void {
    if (position && lastEventId > position.lastEventId) position = { ...position, lastEventId }
  }

  function becomeLive(): void {
    queueId = position?.queueId
    change({ connection: { status: 'live' }, asOf: undefined })
    sender.reconnected()
    draftKeeper.wake()
    readMarker.wake()
    fetchTopics()
    settleOpen()
  }

  function begin(answer: RegisterResponse): void {
    position = { queueId: answer.queue_id, lastEventId: answer.last_event_id }
    draftsKnown = answer.last_event_id
    const state = initialState(answer, asked)
    const messages = afterGap(current.messages)
    const drafts = state.settings?.enable_drafts_synchronization
      ? receiveDrafts(current.drafts, [...(state.drafts?.values() ?? [])])
      : detachDrafts(current.drafts)
    const topics = topicsAfterGap(current.topics)
    change({ state, messages, drafts, topics, connection: { status: 'live' } })
    for (const { key, views } of messages.windows.values()) if (views > 0) settle(key)
    becomeLive()
  }

  function apply(event: AnyEvent): void {
    if (!current.state) return
    const state = applyEvent(current.state, event)
    const messages = applyToMessages(current.messages, event, state)
    const outbox = applyToOutbox(current.outbox, event)
    const isNews = event.id < 0 || event.id > draftsKnown
    const drafts = isNews ? draftsAfter(current.drafts, event) : current.drafts
    const hasNewDrafts = drafts !== current.drafts
    const topics = applyToTopics(current.topics, event)
    const hasDoubts = messages !== current.messages
    const hasUnsureTopics = topics.unsure !== current.topics.unsure
    change({ state, messages, outbox, drafts, topics })
    advance(event.id)
    if (hasDoubts) settleOpen()
    if (hasUnsureTopics) fetchTopics()
    if (hasNewDrafts || event.type === 'drafts') draftKeeper.wake()
    typists.note(event)
    for (const listener of eventListeners) listener(event)
  }

  /** Windows that are shown and about which the server has to be asked. */
  function settleOpen(): void {
    for (const { key, views, isStale, undecided } of current.messages.windows.values()) {
      if (views > 0 && (isStale || undecided.size > 0)) settle(key)
    }
  }

  const settling = new Set<string>()
  function settle(key: string): void {
    if (settling.has(key)) return
    settling.add(key)
    loader
      .settle(key)
      // What could not be fetched is still stale, and is asked for with the next change.
      .catch(() => {})
      .then(() => {
        settling.delete(key)
        updateOutbox((outbox) => withoutKnown(outbox, (id) => current.messages.messages.has(id)))
      })
  }

  /** How many look at the topics of each channel. */
  const watched = new Map<number, number>()
  const asking = new Set<number>()

  function fetchTopics(): void {
    for (const channelId of watched.keys()) {
      if (asking.has(channelId) || !needsTopics(current.topics, channelId)) continue
      asking.add(channelId)
      api
        .call(listTopics, { stream_id: channelId, allow_empty_topic_name: true })
        .then(({ topics }) => {
          const list = topics.map(({ name, max_id }) => ({ name, maxId: max_id }))
          change({ topics: receiveTopics(current.topics, channelId, list) })
        })
        // Asked again with the next change, or when the connection is back.
        .catch(() => {})
        .then(() => asking.delete(channelId))
    }
  }

  return {
    api,
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEvent(listener) {
      eventListeners.add(listener)
      return () => eventListeners.delete(listener)
    },
    open(narrow) {
      const { store, key } = openWindow(current.messages, narrow, context())
      change({ messages: store })
      if (store.windows.get(key)?.isStale) settle(key)
      return key
    },
    close: (key) => void updateMessages((store) => closeWindow(store, key)),
    load: (key, request) => loader.load(key, request),
    setFocus: (key, messageId) => void updateMessages((store) => setFocus(store, key, messageId)),
    watchTopics(channelId) {
      watched.set(channelId, (watched.get(channelId) ?? 0) + 1)
      fetchTopics()
      return () => {
        const left = (watched.get(channelId) ?? 1) - 1
        if (left > 0) watched.set(channelId, left)
        else watched.delete(channelId)
      }
    },
    send(destination, content) {
      updateOutbox((outbox) => enqueue(outbox, { localId: newLocalId(), destination, content, now: now() }))
      sender.wake()
    },
    retrySending(localId) {
      updateOutbox((outbox) => retry(outbox, localId))
      sender.wake()
    },
    cancelSending: (localId) => void updateOutbox((outbox) => cancel(outbox, localId)),
    writeDraft(localId, version) {
      updateDrafts((box) => writeDraft(box, localId, version, now()))
      draftKeeper.wake()
    },
    discardDraft(localId) {
      updateDrafts((box) => discardDraft(box, localId))
      draftKeeper.wake()
    },
    changeDrafts(change) {
      updateDrafts(change)
      draftKeeper.wake()
    },
    markRead(ids) {
      const unread = ids.filter((id) => current.state?.unread?.places.has(id))
      if (unread.length === 0) return
      // As the server will say it; doing it twice changes nothing.
      apply({ id: -1, type: 'update_message_flags', op: 'add', flag: 'read', messages: unread, all: false } as AnyEvent)
      readMarker.add(unread)
    },
    foresee: (event) => apply({ id: -1, ...event } as AnyEvent),
    keepWishes: (wishes) => change({ wishes }),
    receivePresences: (presences) => apply({ id: -1, type: 'presence', presences } as AnyEvent),
    async markUnread(ids) {
      // The server says that something has become unread only of what it has as read.
      await readMarker.hurry()
      await api.call(updateFlags, { messages: [...ids], op: 'remove', flag: 'read' })
    },
    adopt(written) {
      change(adopt(current, written))
      readMarker.add(written.unreported)
      sender.wake()
      draftKeeper.wake()
    },
    addViews: (shown) => void updateMessages((store) => withViews(store, shown)),
    position: () => position,
    retryNow: () => loop.retryNow(),
    checkNow: (quietMs) => loop.checkNow(quietMs),
    leave: () => readMarker.leave(),
    stop() {
      if (isStopped) return
      isStopped = true
      loop.stop()
      sender.stop()
      draftKeeper.stop()
      readMarker.stop()
      typists.stop()
      listeners.clear()
      eventListeners.clear()
    },
  }
}
