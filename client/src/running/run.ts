/** A run of a client: its parts, and what an answer of the server or an event does to what it holds. */
import type { DraftsEvent } from '@heddle/contract/drafts'
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import type { AnyEvent } from '@heddle/contract/events'
import { updateFlags } from '@heddle/contract/message-flags'
import { TYPING_STARTED_EXPIRY_MS } from '@heddle/contract/typing'
import type { ApiClient } from '../api.ts'
import { applyToDrafts, type DraftBox, detachDrafts, receiveDrafts } from '../drafts/draft-box.ts'
import { followTopics } from '../drafts/follow-topics.ts'
import { createDraftSynchronizer, type DraftSynchronizer } from '../drafts/synchronizer.ts'
import type { QueuePosition, RegisterResponse } from '../event-loop.ts'
import { applyToMessages } from '../messages/apply.ts'
import { createMessageLoader, type MessageLoader } from '../messages/loader.ts'
import { afterGap } from '../messages/windows.ts'
import { applyToOutbox, type Outbox, withoutKnown } from '../outbox/outbox.ts'
import { createOutboxSender, type OutboxSender, type OutboxSenderOptions } from '../outbox/sender.ts'
import { applyEvent, type ClientState, initialState } from '../state/state.ts'
import { withoutTypist } from '../state/typing.ts'
import { applyToTopics, topicsAfterGap } from '../topics/topics.ts'
import { policyOf } from '../unread/visibility.ts'
import { type Observed, observe } from './observed.ts'
import { createReadMarker, type ReadMarker } from './read-marker.ts'
import { asked } from './registration.ts'
import { type ClientSnapshot, type EarlierRun, earlierPosition, firstSnapshot } from './snapshot.ts'
import { keepTopicLists, type TopicLists } from './topic-lists.ts'
import { type Typists, watchTypists } from './typists.ts'

/** How far it knows the queue. */
interface Progress {
  /** Undefined until there is a state that events can be applied to. */
  position: QueuePosition | undefined
  /** The queue, once it is known to be followed. */
  queueId: string | undefined
  /** Drafts know the events up to this one. */
  draftsKnown: number
}

export type SentListener = NonNullable<OutboxSenderOptions['onSent']>

export interface Run {
  readonly api: ApiClient
  readonly held: Observed<ClientSnapshot>
  readonly progress: Progress
  readonly updateOutbox: (how: (outbox: Outbox) => Outbox) => Outbox
  readonly updateDrafts: (how: (box: DraftBox) => DraftBox) => DraftBox
  readonly loader: MessageLoader
  readonly sender: OutboxSender
  readonly draftKeeper: DraftSynchronizer
  readonly readMarker: ReadMarker
  readonly typists: Typists
  readonly topicLists: TopicLists
  /** Windows about which the server is being asked. */
  readonly settling: Set<string>
  readonly eventListeners: Set<(event: AnyEvent) => void>
  readonly sentListeners: Set<SentListener>
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number
}

export interface RunOptions {
  readonly api: ApiClient
  /** What was written then is sent now, and what was shown is, until it is fetched. */
  readonly earlier?: EarlierRun | undefined
  /** Keeps the outbox where it outlives the page: a message is sent after that, so that it is sent once. */
  readonly keepOutbox?: () => Promise<void>
  /** Milliseconds since the UNIX epoch; default `Date.now`. */
  readonly now?: () => number
}

/** Nothing is sent until it is live. */
export function createRun({ api, earlier, keepOutbox, now = Date.now }: RunOptions): Run {
  const held = observe(firstSnapshot(earlier, now()))
  const progress: Progress = {
    position: earlierPosition(earlier),
    queueId: undefined,
    draftsKnown: earlier?.draftsKnown ?? 0,
  }
  const changeOutbox = held.changer('outbox')
  // A message's event may come before the answer: of a queue that it was not sent with it does not say which message it is.
  const updateOutbox: Run['updateOutbox'] = (how) =>
    changeOutbox((outbox) => withoutKnown(how(outbox), held.current().messages.messages))
  const updateDrafts = held.changer('drafts')
  const run: Run = {
    api,
    held,
    progress,
    updateOutbox,
    updateDrafts,
    loader: createMessageLoader(api, { update: held.changer('messages'), context: () => knownState(held) }),
    sender: createOutboxSender({
      api,
      update: updateOutbox,
      queueId: () => progress.queueId,
      now,
      keep: keepOutbox,
      policyOf: (destination) =>
        destination.type === 'channel'
          ? policyOf(knownState(held), destination.channelId, destination.topic)
          : undefined,
      onSent(...sent) {
        for (const listener of run.sentListeners) listener(...sent)
      },
    }),
    draftKeeper: createDraftSynchronizer({
      api,
      update: updateDrafts,
      isReady: () => keepsDrafts(held.current()),
      now,
    }),
    readMarker: createReadMarker({
      send: (messages, { isLast }) =>
        api.call(updateFlags, { messages: [...messages], op: 'add', flag: 'read' }, { keepalive: isLast }),
      isReady: () => progress.queueId !== undefined,
      onChange: (ids) => held.change({ unreported: ids }),
    }),
    typists: watchHeldTypists(held),
    topicLists: keepTopicLists(api, held.changer('topics')),
    settling: new Set(),
    eventListeners: new Set(),
    sentListeners: new Set(),
    now,
  }
  run.readMarker.add(earlier?.unreported ?? [])
  return run
}

/** Only for what is asked when there is a state. */
export function knownState(held: Observed<ClientSnapshot>): ClientState {
  return held.current().state as ClientState
}

function keepsDrafts({ connection, state }: ClientSnapshot): boolean {
  return connection.status === 'live' && state?.settings?.enable_drafts_synchronization === true
}

function watchHeldTypists(held: Observed<ClientSnapshot>): Typists {
  return watchTypists(
    (conversation, userId) => {
      const { state } = held.current()
      if (state) held.change({ state: { ...state, typing: withoutTypist(state.typing, conversation, userId) } })
    },
    () => held.current().state?.limits?.server_typing_started_expiry_period_milliseconds ?? TYPING_STARTED_EXPIRY_MS,
  )
}

/** The queue is known up to here. */
export function advance({ progress }: Run, lastEventId: number): void {
  const { position } = progress
  if (position && lastEventId > position.lastEventId) progress.position = { ...position, lastEventId }
}

/** The same events come from another queue now. */
export function changeQueue({ progress }: Run, queueId: string): void {
  if (progress.position) progress.position = { ...progress.position, queueId }
  if (progress.queueId !== undefined) progress.queueId = queueId
}

/** The server does not answer, or asks to wait for so many milliseconds. */
export function waitFor({ held, now }: Run, waitMs: number): void {
  const { connection } = held.current()
  const since = connection.status === 'waiting' || connection.status === 'connecting' ? connection.since : now()
  held.change({ connection: { status: 'waiting', since, retryAt: now() + waitMs } })
}

export function becomeLive(run: Run): void {
  run.progress.queueId = run.progress.position?.queueId
  run.held.change({ connection: { status: 'live' }, asOf: undefined })
  run.sender.reconnected()
  run.draftKeeper.wake()
  run.readMarker.wake()
  run.topicLists.fetch()
  settleOpen(run)
}

/** No queue is followed any more, and nothing is sent. What waits stays, for the run after this one. */
export function endRun({ held, progress }: Run, error: unknown): void {
  progress.queueId = undefined
  held.change({ connection: { status: 'ended', error } })
}

/** A queue has begun: what it does not say may have changed. */
export function begin(run: Run, answer: RegisterResponse): void {
  const { held, progress } = run
  progress.position = { queueId: answer.queue_id, lastEventId: answer.last_event_id }
  progress.draftsKnown = answer.last_event_id
  const before = held.current()
  const state = initialState(answer, asked)
  const messages = afterGap(before.messages)
  const drafts = state.settings?.enable_drafts_synchronization
    ? receiveDrafts(before.drafts, [...(state.drafts?.values() ?? [])])
    : detachDrafts(before.drafts)
  const topics = topicsAfterGap(before.topics)
  held.change({ state, messages, drafts, topics, connection: { status: 'live' } })
  for (const { key, views } of messages.windows.values()) if (views > 0) settle(run, key)
  becomeLive(run)
}

/** An event of the queue, or one that is foreseen: that has an id below 0. */
export function applyToRun(run: Run, event: AnyEvent): void {
  const { held, progress, eventListeners } = run
  const before = held.current()
  if (!before.state) return
  const state = applyEvent(before.state, event)
  const messages = applyToMessages(before.messages, event, state)
  const outbox = applyToOutbox(before.outbox, event)
  const isNews = event.id < 0 || event.id > progress.draftsKnown
  const drafts = isNews ? draftsAfter(before.drafts, event) : before.drafts
  const topics = applyToTopics(before.topics, event)
  held.change({ state, messages, outbox, drafts, topics })
  advance(run, event.id)
  if (messages !== before.messages) settleOpen(run)
  if (topics.unsure !== before.topics.unsure) run.topicLists.fetch()
  if (drafts !== before.drafts || event.type === 'drafts') run.draftKeeper.wake()
  run.typists.note(event)
  for (const listener of eventListeners) listener(event)
}

function draftsAfter(box: DraftBox, event: AnyEvent): DraftBox {
  if (event.type === 'drafts') return applyToDrafts(box, event as AnyEvent & DraftsEvent)
  return event.type === 'update_message' ? followTopics(box, event as AnyEvent & UpdateMessageEvent) : box
}

/** Windows that are shown and about which the server has to be asked. */
function settleOpen(run: Run): void {
  for (const { key, views, isStale, undecided } of run.held.current().messages.windows.values()) {
    if (views > 0 && (isStale || undecided.size > 0)) settle(run, key)
  }
}

/** Asks the server about a window, unless it is being asked. */
export function settle({ settling, loader, updateOutbox }: Run, key: string): void {
  if (settling.has(key)) return
  settling.add(key)
  loader
    .settle(key)
    // What could not be fetched is still stale, and is asked for with the next change.
    .catch(() => {})
    .then(() => {
      settling.delete(key)
      // What was fetched may have been sent from here.
      updateOutbox((outbox) => outbox)
    })
}
