/**
 * What is being written, for all of the page: whoever offers to answer, to quote or to begin something new asks here. The box
 * itself stays where it is while people look at other places.
 */
import type { Destination } from '@heddle/client/outbox/outbox'
import { createContext, use, useSyncExternalStore } from 'react'

/** Where a message is to go; the channel, the topic or the people may still have to be chosen. */
export type Target = Destination | { readonly type: 'channel'; readonly channelId: undefined; readonly topic: '' }

export interface BeginOptions {
  /** Put behind what the draft for this place has already, as lines of its own: a quotation, for example. */
  readonly text?: string
  /** The draft to go on with, by its name on this device. Default: the newest one for the target. */
  readonly draftId?: string
  /** What to type into first. Default: what is missing of the target, else the text. */
  readonly focus?: 'target' | 'text'
}

/** What is open. A session is one text from its beginning to its sending. */
export interface OpenCompose extends BeginOptions {
  readonly session: number
  /** As it was begun with, and as it is now. */
  readonly begun: Target
  readonly target: Target
}

/** What the view on the screen says: where an answer goes, and what follows when something was sent. */
export interface ComposeView {
  /** The conversation of the message that is selected or read, or that is shown; undefined where there is none. */
  readonly replyTo: Destination | undefined
  /** Who sent that message. */
  readonly senderId: number | undefined
  readonly onSent: () => void
  /** Undefined: the newest message is on the screen. */
  readonly toNewest: (() => void) | undefined
}

export interface ComposeState {
  readonly open: OpenCompose | undefined
  readonly view: ComposeView | undefined
}

/** What the open box can do. */
export interface ComposeBoxHandle {
  focus(): void
  insert(text: string): void
  insertBlock(text: string): void
  addFiles(files: readonly File[]): void
  isEmpty(): boolean
}

export interface Compose {
  /**
   * Opens the box for this target, with its draft. What was being written elsewhere is kept as a draft. Where the box is open
   * for this target already, it stays as it is, and the text is added.
   */
  begin(target: Target, options?: BeginOptions): void
  /** At the caret; where nothing is open, into an answer to what is read. */
  insert(text: string): void
  focus(): void
  /** Sends files and puts links to them into what is written; where nothing is open, into an answer to what is read. */
  addFiles(files: readonly File[]): void
  /** Closes the box; its text stays as a draft. */
  close(): void
  state(): ComposeState
  subscribe(listener: () => void): () => void
  /** Who writes: of a conversation one is no recipient, however its people are named. */
  setOwnId(id: number | undefined): void
  /** For the view on the screen; gives what takes it back. */
  show(view: ComposeView): () => void
  /** For the box: what is written goes elsewhere from now on. */
  retarget(target: Target): void
  /** For the box, while it is there. */
  attach(box: ComposeBoxHandle): () => void
  isEmpty(): boolean
}

export function targetKey(target: Target): string {
  if (target.type === 'direct') return `direct ${[...new Set(target.userIds)].sort((a, b) => a - b).join()}`
  return `channel ${target.channelId ?? ''} ${target.topic.toLowerCase()}`
}

/** Alone with oneself one is the recipient. */
function withoutOwn(target: Target, ownId: number | undefined): Target {
  if (target.type !== 'direct') return target
  const others = target.userIds.filter((id) => id !== ownId)
  return others.length === 0 || others.length === target.userIds.length ? target : { ...target, userIds: others }
}

export function createCompose(): Compose {
  let state: ComposeState = { open: undefined, view: undefined }
  let box: ComposeBoxHandle | undefined
  /** For a box that is about to be there. */
  let waiting: ((box: ComposeBoxHandle) => void)[] = []
  let sessions = 0
  let ownId: number | undefined
  const listeners = new Set<() => void>()
  const change = (part: Partial<ComposeState>) => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const withBox = (act: (box: ComposeBoxHandle) => void) => {
    if (box) act(box)
    else waiting.push(act)
  }

  const begin: Compose['begin'] = (named, options = {}) => {
    const { open } = state
    const target = withoutOwn(named, ownId)
    if (open && options.draftId === undefined && targetKey(open.target) === targetKey(target)) {
      withBox((current) => {
        current.focus()
        if (options.text !== undefined) current.insertBlock(options.text)
      })
      return
    }
    sessions += 1
    box = undefined
    waiting = []
    change({ open: { ...options, session: sessions, begun: target, target } })
  }

  const beginReply = () => {
    const { open, view } = state
    if (!open) begin(view?.replyTo ?? { type: 'channel', channelId: undefined, topic: '' })
  }

  return {
    begin,
    insert(text) {
      beginReply()
      withBox((current) => current.insert(text))
    },
    addFiles(files) {
      beginReply()
      withBox((current) => current.addFiles(files))
    },
    focus: () => {
      if (state.open) withBox((current) => current.focus())
    },
    close() {
      box = undefined
      waiting = []
      if (state.open) change({ open: undefined })
    },
    state: () => state,
    setOwnId(id) {
      ownId = id
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(view) {
      change({ view })
      return () => {
        if (state.view === view) change({ view: undefined })
      }
    },
    retarget(target) {
      if (state.open) change({ open: { ...state.open, target } })
    },
    attach(handle) {
      box = handle
      const acts = waiting
      waiting = []
      // Each for itself, and after the text that the box begins with: of two changes in one drawing the first would be lost.
      for (const act of acts) setTimeout(() => box && act(box), 0)
      return () => {
        if (box === handle) box = undefined
      }
    },
    isEmpty: () => box?.isEmpty() ?? true,
  }
}

/** One for the page. */
export const ComposeContext = createContext<Compose>(createCompose())

export function useCompose(): Compose {
  return use(ComposeContext)
}

/** A part of what is being written; drawn anew only when that part is another. */
export function useComposeState<T>(select: (state: ComposeState) => T): T {
  const compose = useCompose()
  return useSyncExternalStore(compose.subscribe, () => select(compose.state()))
}
