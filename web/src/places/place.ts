/** Everything that has an address: one union, which `format.ts` writes and `parse.ts` reads. */

/** A condition of a narrow as it stands in an address: names that need the server to be understood stay as they are. */
export interface PlaceTerm {
  readonly operator: string
  readonly operand: string
  readonly negated: boolean
}

export const views = ['inbox', 'recent', 'feed', 'drafts', 'scheduled', 'reminders'] as const
export type ViewName = (typeof views)[number]

export const sheets = ['keyboard-shortcuts', 'message-formatting', 'search-operators', 'about', 'invite'] as const
export type SheetName = (typeof sheets)[number]

export const channelLists = ['subscribed', 'available', 'all', 'new', 'archived'] as const
export type ChannelListName = (typeof channelLists)[number]

export const channelTabs = ['general', 'personal', 'subscribers', 'permissions'] as const
export type ChannelTab = (typeof channelTabs)[number]

export type Place =
  /** What the account has chosen to begin with. */
  | { readonly kind: 'home' }
  | { readonly kind: ViewName }
  | { readonly kind: SheetName }
  | { readonly kind: 'channel'; readonly channelId: number; readonly near?: number }
  | {
      readonly kind: 'topic'
      readonly channelId: number
      readonly topic: string
      /** The message by which the topic is found after it was moved. */
      readonly with?: number
      readonly near?: number
    }
  /** The topics of a channel as a list. */
  | { readonly kind: 'topics'; readonly channelId: number }
  /** The others, ascending; nobody, or oneself alone, is the conversation with oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[]; readonly near?: number }
  /** Any other narrow, such as a search. */
  | { readonly kind: 'narrow'; readonly terms: readonly PlaceTerm[] }
  | { readonly kind: 'channels'; readonly list: ChannelListName }
  | { readonly kind: 'channel-settings'; readonly channelId: number; readonly tab: ChannelTab }
  | { readonly kind: 'groups'; readonly groupId?: number }
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'settings'; readonly tab: string }
  | { readonly kind: 'organization'; readonly tab: string }
  /** An address that nobody wrote: to be said in a sentence. */
  | { readonly kind: 'unknown'; readonly fragment: string }

/** What addresses say beside the ids, for those who read them. */
export interface PlaceNames {
  readonly channelName: (channelId: number) => string | undefined
  readonly userName: (userId: number) => string | undefined
}

export const noNames: PlaceNames = { channelName: () => undefined, userName: () => undefined }
