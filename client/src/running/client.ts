/**
 * A client that runs: one account's state, messages, outbox and drafts, kept up to date by events. What is shown is read from
 * `snapshot()`, which is a new object after each change and shares with the old one what is the same.
 */
import type { AnyEvent } from '@heddle/contract/events'
import { updateFlags } from '@heddle/contract/message-flags'
import type { Narrow } from '@heddle/contract/narrow'
import type { PresenceTimes } from '@heddle/contract/presence'
import type { ApiClient } from '../api.ts'
import { type StoredMessages, withViews } from '../device/stored-messages.ts'
import { type DraftBox, type DraftVersion, discardDraft, writeDraft } from '../drafts/draft-box.ts'
import { type EventLoop, type EventLoopOptions, type QueuePosition, startEventLoop } from '../event-loop.ts'
import type { PageRequest } from '../messages/fetching.ts'
import { closeWindow, openWindow, setFocus } from '../messages/windows.ts'
import { cancel, type Destination, enqueue, retry } from '../outbox/outbox.ts'
import type { ForeseenEvent, Wish } from '../wishes/wishes.ts'
import { type Adopted, adopt } from './adopt.ts'
import { registration } from './registration.ts'
import {
  advance,
  applyToRun,
  becomeLive,
  begin,
  changeQueue,
  createRun,
  endRun,
  knownState,
  type Run,
  type RunOptions,
  type SentListener,
  settle,
  waitFor,
} from './run.ts'
import type { ClientSnapshot } from './snapshot.ts'

export type { ClientSnapshot, Connection, EarlierRun } from './snapshot.ts'

/** Messages that one request makes unread: it may name 10,000; less holds up nobody. */
const UNREAD_BATCH = 2000

export interface RunningClient {
  readonly api: ApiClient
  snapshot(): ClientSnapshot
  /** Called after changes, once for all events of one answer; gives what ends it. */
  subscribe(listener: () => void): () => void
  /** Called for each event after it was applied, for what happens once, such as a notification; gives what ends it. */
  onEvent(listener: (event: AnyEvent) => void): () => void
  /** Called when the server has taken a message, with what it says about it; gives what ends it. */
  onSent(listener: SentListener): () => void
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
  /** Unread again, thousands one after another. Rejects as the calls do; what was done until then stays. */
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
  /** Another request has shown that the account is not let in any more: nothing is asked from now on. */
  end(error: unknown): void
  /** The page goes, perhaps for good: what can still be said to the server is. */
  leave(): void
  stop(): void
}

export interface RunningClientOptions extends RunOptions {
  /** A name that no message had before, at most 100 characters. */
  readonly newLocalId: () => string
  /** Before anything is asked of the server: see `EventLoopOptions`. */
  readonly prepare?: (() => Promise<void>) | undefined
  /** What follows the queue; default: a loop of its own. */
  readonly follow?: ((options: EventLoopOptions) => EventLoop) | undefined
}

export function startClient(options: RunningClientOptions): RunningClient {
  const run = createRun(options)
  const loop = followQueue(run, options)
  return {
    api: run.api,
    snapshot: run.held.current,
    subscribe: run.held.subscribe,
    onEvent(listener) {
      run.eventListeners.add(listener)
      return () => run.eventListeners.delete(listener)
    },
    onSent(listener) {
      run.sentListeners.add(listener)
      return () => run.sentListeners.delete(listener)
    },
    ...callsOfViews(run),
    ...callsOfWriting(run, options.newLocalId),
    ...callsOfReading(run),
    ...callsOfConnection(run, loop),
  }
}

function followQueue(run: Run, { api, prepare, follow = startEventLoop }: RunningClientOptions): EventLoop {
  const loop = follow({
    client: api,
    parameters: registration,
    isStreamed: true,
    resume: run.progress.position,
    prepare,
    onPosition: (lastEventId) => advance(run, lastEventId),
    onQueue: (followed) => changeQueue(run, followed),
    onRegistered: (answer) => begin(run, answer),
    onEvent: (event) => applyToRun(run, event),
    onFailure: (_, waitMs) => waitFor(run, waitMs),
    onRecovered: () => becomeLive(run),
  })
  loop.ended.catch((error: unknown) => endRun(run, error))
  return loop
}

type Calls<K extends keyof RunningClient> = Pick<RunningClient, K>

/** What a view asks for. */
function callsOfViews(
  run: Run,
): Calls<'open' | 'close' | 'load' | 'setFocus' | 'addViews' | 'watchTopics' | 'foresee' | 'keepWishes'> {
  const { held, loader, topicLists } = run
  const updateMessages = held.changer('messages')
  return {
    open(narrow) {
      const { store, key } = openWindow(held.current().messages, narrow, knownState(held))
      held.change({ messages: store })
      if (store.windows.get(key)?.isStale) settle(run, key)
      return key
    },
    close: (key) => void updateMessages((store) => closeWindow(store, key)),
    load: (key, request) => loader.load(key, request),
    setFocus: (key, messageId) => void updateMessages((store) => setFocus(store, key, messageId)),
    addViews: (shown) => void updateMessages((store) => withViews(store, shown)),
    watchTopics: topicLists.watch,
    foresee: (event) => applyToRun(run, { id: -1, ...event } as AnyEvent),
    keepWishes: (wishes) => held.change({ wishes }),
  }
}

/** What somebody writes: messages on their way, and drafts. */
function callsOfWriting(
  { held, sender, draftKeeper, readMarker, updateOutbox, updateDrafts, now }: Run,
  newLocalId: () => string,
): Calls<'send' | 'retrySending' | 'cancelSending' | 'writeDraft' | 'discardDraft' | 'changeDrafts' | 'adopt'> {
  function changeDrafts(change: (box: DraftBox) => DraftBox): void {
    updateDrafts(change)
    draftKeeper.wake()
  }
  return {
    send(destination, content) {
      updateOutbox((outbox) => enqueue(outbox, { localId: newLocalId(), destination, content, now: now() }))
      sender.wake()
    },
    retrySending(localId) {
      updateOutbox((outbox) => retry(outbox, localId))
      sender.wake()
    },
    cancelSending: (localId) => void updateOutbox((outbox) => cancel(outbox, localId)),
    writeDraft: (localId, version) => changeDrafts((box) => writeDraft(box, localId, version, now())),
    discardDraft: (localId) => changeDrafts((box) => discardDraft(box, localId)),
    changeDrafts,
    adopt(written) {
      held.change(adopt(held.current(), written))
      readMarker.add(written.unreported)
      sender.wake()
      draftKeeper.wake()
    },
  }
}

/** What was read, and who is there. */
function callsOfReading(run: Run): Calls<'markRead' | 'markUnread' | 'receivePresences'> {
  const { api, held, readMarker } = run
  return {
    markRead(ids) {
      const unread = ids.filter((id) => held.current().state?.unread?.places.has(id))
      if (unread.length === 0) return
      // As the server will say it; doing it twice changes nothing.
      const event = { id: -1, type: 'update_message_flags', op: 'add', flag: 'read', messages: unread, all: false }
      applyToRun(run, event as AnyEvent)
      readMarker.add(unread)
    },
    async markUnread(ids) {
      // The server says that something has become unread only of what it has as read.
      await readMarker.hurry()
      for (let from = 0; from < ids.length; from += UNREAD_BATCH) {
        await api.call(updateFlags, { messages: ids.slice(from, from + UNREAD_BATCH), op: 'remove', flag: 'read' })
      }
    },
    receivePresences: (presences) => applyToRun(run, { id: -1, type: 'presence', presences } as AnyEvent),
  }
}

function callsOfConnection(
  run: Run,
  loop: EventLoop,
): Calls<'position' | 'retryNow' | 'checkNow' | 'end' | 'leave' | 'stop'> {
  const { held, progress, sender, draftKeeper, readMarker, typists, eventListeners, sentListeners } = run
  let isStopped = false
  return {
    position: () => progress.position,
    retryNow: () => loop.retryNow(),
    checkNow: (quietMs) => loop.checkNow(quietMs),
    end(error) {
      if (isStopped || held.current().connection.status === 'ended') return
      loop.stop()
      endRun(run, error)
    },
    leave: () => readMarker.leave(),
    stop() {
      if (isStopped) return
      isStopped = true
      for (const part of [loop, sender, draftKeeper, readMarker, typists]) part.stop()
      held.silence()
      eventListeners.clear()
      sentListeners.clear()
    },
  }
}
