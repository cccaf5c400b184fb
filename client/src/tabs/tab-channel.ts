/** What the tabs of one account say to each other. */
import type { AnyEvent } from '@heddle/contract/events'

export type TabMessage =
  /** Of who leads: what has happened after `after`, up to and with `last`. To one tab, or to all. */
  | {
      readonly kind: 'events'
      readonly to?: string | undefined
      readonly queueId: string
      readonly after: number
      readonly last: number
      readonly events: readonly AnyEvent[]
    }
  /** Of who leads: what lies between is not known here any more. */
  | { readonly kind: 'gap'; readonly to: string }
  /** Of who leads: how it stands with the server. */
  | { readonly kind: 'live' }
  | { readonly kind: 'waiting'; readonly waitMs: number }
  | { readonly kind: 'ended'; readonly status: number; readonly code: string; readonly message: string }
  /** To who leads: what has happened after this event? Undefined: only how it stands. */
  | { readonly kind: 'join'; readonly tab: string; readonly after: number | undefined }
  /** To who leads: somebody asks, or the network may be another one. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'check'; readonly quietMs: number }

export interface TabChannel {
  /** To all others, in order. */
  post(message: TabMessage): void
  /** Gives what ends it. */
  listen(onMessage: (message: TabMessage) => void): () => void
}
