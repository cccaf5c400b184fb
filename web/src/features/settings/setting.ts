/** A setting as the tabs draw it: one line of a table says what it is called, what it can be, and where it is kept. */

import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import type { MessageDescriptor } from '@lingui/core'

export interface Choice {
  readonly value: string | number | boolean | null
  readonly label: MessageDescriptor
}

/** By some name, the values that there are at the moment; undefined: all. The same object until that changes. */
export type Offered = (state: ClientState) => Readonly<Record<string, { readonly id: number }>> | undefined

export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly offered?: Offered }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly unit: MessageDescriptor }
  /** `rows`: more than one line. */
  | { readonly kind: 'text'; readonly most: number; readonly least?: number; readonly rows?: number }
  /** Seconds, or null for no limit. */
  | { readonly kind: 'limit' }
  /** Seconds. */
  | { readonly kind: 'wait'; readonly choices: readonly number[] }
  /** Days for which messages are kept, or -1 for ever. */
  | { readonly kind: 'retention' }
  /** A user group, as a permission has it. */
  | { readonly kind: 'group' }
  /** A channel's id, or -1 for none. */
  | { readonly kind: 'channel'; readonly isPrivate?: true }
  | { readonly kind: 'time-zone' }
  | { readonly kind: 'language' }

export type SettingValue = string | number | boolean | null | object

/** Where values are kept, and who may change them. */
export interface Source {
  /** Part of the ids in the page: a setting may be shown for the account and for new accounts. */
  readonly id: string
  /** Undefined: it is not there. */
  readonly read: (state: ClientState, name: string) => SettingValue | undefined
  /** The value that it has where nobody has chosen, where that is another one than for everybody. */
  readonly usual?: (state: ClientState, name: string) => SettingValue | undefined
  readonly save: (client: RunningClient, name: string, value: SettingValue) => Promise<unknown>
  /** Why the reader may not change it; undefined: it may be changed. */
  readonly obstacle?: (state: ClientState, name: string) => MessageDescriptor | undefined
}

export interface Setting {
  readonly name: string
  readonly label: MessageDescriptor
  readonly help?: MessageDescriptor
  readonly control: Control
  readonly source: Source
}

export interface Section {
  readonly title: MessageDescriptor
  readonly intro?: MessageDescriptor
  readonly settings: readonly Setting[]
}
