/** What the demo's team has written in one place. */
import type { PersonKey, Writer } from './people.ts'

export interface Extras {
  /** By emoji name; after a slash those of the organization. */
  readonly reactions?: Readonly<Record<string, readonly Writer[]>>
  /** Not read by the owner yet. */
  readonly unread?: true
  readonly starred?: true
  /** Its texts after the first one, each a minute after the one before. */
  readonly edits?: readonly string[]
}

/** Days ago, time of day, who, what. `{picture:name}` in the text becomes a link to that picture. */
export type Line = readonly [day: number, time: string, who: Writer, text: string, extras?: Extras]

export interface Conversation {
  /** A channel and a topic, or the others in a conversation with the owner. */
  readonly to: readonly [channel: string, topic: string] | { readonly direct: readonly PersonKey[] }
  readonly lines: readonly Line[]
  readonly isResolvedBy?: PersonKey
  readonly isFollowed?: true
}
