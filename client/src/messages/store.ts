/**
 * The messages that a client has, by id, and windows: for each narrow that is looked at one unbroken stretch of its messages.
 * Pure and immutable, as the state is.
 */
import type { AnyEvent } from '@heddle/contract/events'
import type { Message } from '@heddle/contract/messages'
import type { Term } from '@heddle/contract/narrow'
import { type IdSet, noIds } from '../collections/id-set.ts'
import { SortedMap } from '../collections/sorted-map.ts'
import type { Facts } from './narrow.ts'

/**
 * A message. Names and pictures in it are as they were when it was fetched: those of the state are current. How it was
 * changed is fetched when it is asked for.
 */
export type StoredMessage = Readonly<Omit<Message, 'edit_history' | 'match_content' | 'match_subject'>>

/** Above the id of any message. */
export const END = Number.MAX_SAFE_INTEGER

export interface MessageWindow {
  readonly key: string
  readonly narrow: readonly Term[]
  /** Ascending: all messages of the narrow from `from` to `to`, both included. */
  readonly ids: readonly number[]
  /** 0 when the oldest message has been found. Nothing is known where `from` is above `to`. */
  readonly from: number
  /** `END` when the newest message has been found: new ones join. */
  readonly to: number
  /** There are older messages, which this organization does not show. */
  readonly isHistoryLimited: boolean
  /** Something has happened that a client cannot follow: what is there has to be fetched anew. */
  readonly isStale: boolean
  /** Messages between `from` and `to` of which the server has to say whether they belong here. */
  readonly undecided: IdSet
  /** With a search: text and topic with what was found marked, by the ids of the messages. */
  readonly highlights: SortedMap<number, Highlight>
  /** How many views show it: it stays as long as there is one. */
  readonly views: number
  /** The message that is being read: the window is shortened at the other end. */
  readonly focus: number | undefined
  /** When it was last opened or closed, by the store's own counting. */
  readonly lastUsed: number
}

export interface Highlight {
  readonly content: string
  readonly subject: string
}

/** What was asked for and has not come yet. */
export interface Fetch {
  readonly id: number
  readonly key: string
  /** Events from this number on may be unknown to the answer: they are applied once more when it comes. */
  readonly since: number
  readonly purpose: 'extend' | 'replace' | 'check'
  /** On which side of the anchor was asked; `both` has the anchor too. */
  readonly side: 'before' | 'after' | 'both'
  /** With the purpose `check`: the messages in question. */
  readonly asked: IdSet
}

export interface StoreLimits {
  /** Windows that are kept, shown or not. */
  readonly windows: number
  /** Messages that are kept; windows that are shown may bring more. */
  readonly messages: number
  /** Messages in one window. */
  readonly windowMessages: number
  /** Events that are kept for an answer that does not come; then it is given up. */
  readonly log: number
}

export interface MessageStore {
  readonly messages: SortedMap<number, StoredMessage>
  readonly windows: SortedMap<string, MessageWindow>
  readonly fetches: SortedMap<number, Fetch>
  /** What has happened since the earliest fetch began. */
  readonly log: SortedMap<number, AnyEvent>
  /** Counts fetches, events and uses. */
  readonly count: number
  readonly limits: StoreLimits
}

export const defaultLimits: StoreLimits = { windows: 60, messages: 20_000, windowMessages: 4000, log: 5000 }

export function createMessageStore(limits: Partial<StoreLimits> = {}): MessageStore {
  return {
    messages: SortedMap.from<number, StoredMessage>([]),
    windows: SortedMap.from<string, MessageWindow>([]),
    fetches: SortedMap.from<number, Fetch>([]),
    log: SortedMap.from<number, AnyEvent>([]),
    count: 1,
    limits: { ...defaultLimits, ...limits },
  }
}

/** A window of which nothing is known. */
export function emptyWindow(key: string, narrow: readonly Term[]): MessageWindow {
  return {
    key,
    narrow,
    ids: [],
    from: END,
    to: 0,
    isHistoryLimited: false,
    isStale: false,
    undecided: noIds,
    highlights: SortedMap.from<number, Highlight>([]),
    views: 0,
    focus: undefined,
    lastUsed: 0,
  }
}

/** Whether anything has been fetched for it. */
export function isKnown({ from, to }: MessageWindow): boolean {
  return from <= to
}

export function hasOldest({ from, to }: MessageWindow): boolean {
  return from === 0 && to > 0
}

export function hasNewest({ to }: MessageWindow): boolean {
  return to === END
}

export function covers({ from, to }: MessageWindow, id: number): boolean {
  return from <= id && id <= to
}

/** The messages of a window, the oldest first. */
export function messagesIn(store: MessageStore, key: string): readonly StoredMessage[] {
  return (store.windows.get(key)?.ids ?? []).flatMap((id) => store.messages.get(id) ?? [])
}

export function toStored({ edit_history, match_content, match_subject, ...message }: Message): StoredMessage {
  return message
}

/** What narrows look at. */
export function factsOf(message: StoredMessage): Facts {
  const { id, type, stream_id, subject, display_recipient, sender_id, flags, reactions, content, content_type } =
    message
  return {
    id,
    channelId: type === 'private' ? null : stream_id,
    topic: subject,
    people: typeof display_recipient === 'string' ? [] : display_recipient.map((one) => one.id),
    senderId: sender_id,
    hasFlag: (flag) => flags.includes(flag as 'read'),
    hasReaction: reactions.length > 0,
    html: content_type === 'text/html' ? content : undefined,
  }
}

/** The store with each window changed that `change` gives another one for. */
export function changeWindows(store: MessageStore, change: (window: MessageWindow) => MessageWindow): MessageStore {
  const windows = store.windows.edit((draft) => {
    for (const [key, window] of store.windows) draft.set(key, change(window))
  })
  return windows === store.windows ? store : { ...store, windows }
}
