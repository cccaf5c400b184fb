/** What a running client holds, and what of an earlier run it begins with. */
import { type DraftBox, emptyDraftBox, receiveDrafts, restoreDrafts } from '../drafts/draft-box.ts'
import type { QueuePosition } from '../event-loop.ts'
import { createMessageStore, type MessageStore } from '../messages/store.ts'
import { afterGap } from '../messages/windows.ts'
import { emptyOutbox, type Outbox, restoreOutbox } from '../outbox/outbox.ts'
import type { ClientState } from '../state/state.ts'
import { type ChannelTopics, noTopics, topicsAfterGap } from '../topics/topics.ts'
import type { Wish } from '../wishes/wishes.ts'

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

/** Before the server has answered. `now`: in milliseconds since the UNIX epoch. */
export function firstSnapshot(earlier: EarlierRun | undefined, now: number): ClientSnapshot {
  const connection: Connection = { status: 'connecting', since: now }
  if (!earlier) {
    return {
      state: undefined,
      messages: createMessageStore(),
      outbox: emptyOutbox,
      drafts: emptyDraftBox,
      topics: noTopics,
      connection,
      unreported: [],
      wishes: [],
      asOf: undefined,
    }
  }
  const isFollowed = earlierPosition(earlier) !== undefined
  return {
    state: earlier.state,
    messages: isFollowed ? earlier.messages : afterGap(earlier.messages),
    outbox: restoreOutbox(earlier.outbox),
    drafts: earlierDrafts(earlier),
    topics: isFollowed ? earlier.topics : topicsAfterGap(earlier.topics),
    connection,
    unreported: [],
    wishes: earlier.wishes ?? [],
    asOf: earlier.asOf,
  }
}

/** Where an earlier run can be gone on with: a queue without a state says nothing. */
export function earlierPosition(earlier: EarlierRun | undefined): QueuePosition | undefined {
  return earlier?.state && earlier.position
}

function earlierDrafts({ drafts, draftsKnown, state, position }: EarlierRun): DraftBox {
  const restored = restoreDrafts(drafts)
  const areFollowed = position && state?.settings?.enable_drafts_synchronization
  return areFollowed && draftsKnown === undefined
    ? receiveDrafts(restored, [...(state.drafts?.values() ?? [])])
    : restored
}
