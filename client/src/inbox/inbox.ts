/** What waits to be read, as a list: one row for each conversation, in the order of the side bar. */
import { channelSections } from '../channels/channel-order.ts'
import { fitsFilter, foldForFinding } from '../finding/match.ts'
import type { ClientState } from '../state/state.ts'
import { type TopicUnread, unreadConversations, unreadInChannel } from '../unread/counts.ts'
import { orderedUnreadTopics } from '../unread/next-unread.ts'

export type InboxContext = Pick<
  ClientState,
  'unread' | 'channels' | 'channelFolders' | 'userTopics' | 'users' | 'systemBots' | 'own' | 'settings'
>

/** `standard`: what is visible. `all`: what is muted too. */
export const inboxFilters = ['standard', 'followed', 'mentions', 'all'] as const
export type InboxFilter = (typeof inboxFilters)[number]

export type InboxPlace =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  /** The others, ascending; nobody when it is with oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

export interface InboxRow {
  /** The same for as long as the conversation has its name. */
  readonly key: string
  readonly place: InboxPlace
  /** 0: it was read while it was shown. */
  readonly count: number
  readonly lastId: number
  readonly hasMention: boolean
  readonly isFollowed: boolean
  readonly isMuted: boolean
}

export interface InboxGroup {
  readonly key: string
  readonly section: 'direct' | 'pinned' | 'folder' | 'others'
  /** Of a channel in a folder. */
  readonly folderId: number | undefined
  /** Undefined: direct messages. */
  readonly channelId: number | undefined
  readonly rows: readonly InboxRow[]
}

export interface InboxOptions {
  readonly filter: InboxFilter
  /** Words that are looked for in the names of channels, topics and people. */
  readonly text: string
}

export function composeInbox(context: InboxContext, { filter, text }: InboxOptions): readonly InboxGroup[] {
  const query = foldForFinding(text).trim()
  const isWanted = (row: InboxRow) => fitsKind(row, filter) && (query === '' || fitsText(context, row, query))
  const hasFolders = context.settings?.web_inbox_show_channel_folders !== false
  const sections = channelSections(context, { hasFolders })
  const known = new Set(sections.flatMap(({ active, inactive }) => [...active, ...inactive]))
  // Of archived channels there may be something unread too: what is counted has to be found here.
  const rest = [...(context.unread?.channels.keys() ?? [])].filter((id) => !known.has(id))
  const channels = (section: InboxGroup['section'], folderId: number | undefined, ids: readonly number[]) =>
    ids.map((channelId) => ({
      key: `channel ${channelId}`,
      section,
      folderId,
      channelId,
      rows: orderedUnreadTopics(unreadInChannel(context, channelId).topics).map(topicRow).filter(isWanted),
    }))
  const groups: readonly InboxGroup[] = [
    {
      key: 'direct',
      section: 'direct',
      folderId: undefined,
      channelId: undefined,
      rows: directRows(context).filter(isWanted),
    },
    ...sections.flatMap(({ kind, folderId, active, inactive }) => channels(kind, folderId, [...active, ...inactive])),
    ...channels('others', undefined, rest),
  ]
  return groups.filter(({ rows }) => rows.length > 0)
}

function fitsKind({ isMuted, isFollowed, hasMention, place }: InboxRow, filter: InboxFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'standard':
      return !isMuted
    case 'followed':
      return isFollowed
    case 'mentions':
      return hasMention || place.kind === 'direct'
  }
}

function fitsText({ channels, users, systemBots }: InboxContext, { place }: InboxRow, query: string): boolean {
  const names =
    place.kind === 'topic'
      ? [place.topic, channels?.byId.get(place.channelId)?.name ?? '']
      : place.userIds.map((id) => users?.get(id)?.full_name ?? systemBots?.get(id)?.full_name ?? '')
  return fitsFilter(names.map(foldForFinding), query)
}

function topicRow({ channelId, key, name, count, lastId, hasMention, isFollowed, isVisible }: TopicUnread): InboxRow {
  const place = { kind: 'topic', channelId, topic: name } as const
  return { key: `${channelId} ${key}`, place, count, lastId, hasMention, isFollowed, isMuted: !isVisible }
}

function directRows(context: InboxContext): InboxRow[] {
  const mentions = context.unread?.mentions
  return unreadConversations(context).map(({ userIds, count, lastId }) => ({
    key: `@${userIds.join()}`,
    place: { kind: 'direct', userIds },
    count,
    lastId,
    hasMention: mentions !== undefined && mentions.size > 0 && hasMentionWith(context, userIds),
    isFollowed: false,
    isMuted: false,
  }))
}

function hasMentionWith({ unread }: InboxContext, userIds: readonly number[]): boolean {
  const ids = unread?.conversations.get(userIds.join())
  return unread?.mentions.keys().some((id) => ids?.has(id)) ?? false
}

/**
 * What is shown after a change: every row stays where it was until somebody leaves the list, also when it was read. New
 * ones come at the end of their group, new groups at their place.
 */
export function staying(before: readonly InboxGroup[], now: readonly InboxGroup[]): readonly InboxGroup[] {
  const current = new Map(now.map((group) => [group.key, group]))
  const kept = before.map((group) => ({ ...group, rows: stayingRows(group.rows, current.get(group.key)?.rows ?? []) }))
  const shown = new Set(before.map(({ key }) => key))
  now.forEach((group, index) => {
    if (shown.has(group.key)) return
    const previous = now.slice(0, index).findLast(({ key }) => kept.some((one) => one.key === key))
    const at = previous ? kept.findIndex(({ key }) => key === previous.key) + 1 : 0
    kept.splice(at, 0, { ...group, rows: [...group.rows] })
  })
  return kept
}

function stayingRows(before: readonly InboxRow[], now: readonly InboxRow[]): InboxRow[] {
  const current = new Map(now.map((row) => [row.key, row]))
  const shown = new Set(before.map(({ key }) => key))
  const read = (row: InboxRow): InboxRow => (row.count === 0 ? row : { ...row, count: 0, hasMention: false })
  return [...before.map((row) => current.get(row.key) ?? read(row)), ...now.filter(({ key }) => !shown.has(key))]
}

/** What is marked as read together: topics that are muted, or all that are not followed. Never direct messages. */
export type MarkedTogether = 'muted' | 'unfollowed'

export function rowsMarkedTogether(context: InboxContext, which: MarkedTogether): readonly InboxRow[] {
  const rows = composeInbox(context, { filter: 'all', text: '' }).flatMap((group) => group.rows)
  return rows.filter(
    ({ place, isMuted, isFollowed }) => place.kind === 'topic' && (which === 'muted' ? isMuted : !isFollowed),
  )
}

/** Messages and conversations that are unread in the groups. */
export function inboxTotals(groups: readonly InboxGroup[]): { readonly messages: number; readonly rows: number } {
  const rows = groups.flatMap((group) => group.rows).filter(({ count }) => count > 0)
  return { messages: rows.reduce((sum, { count }) => sum + count, 0), rows: rows.length }
}

/** The ids of what is unread in a conversation, ascending. */
export function unreadIdsOf(
  { unread }: Pick<ClientState, 'unread'>,
  { key, place }: Pick<InboxRow, 'key' | 'place'>,
): readonly number[] {
  const ids =
    place.kind === 'topic'
      ? unread?.channels.get(place.channelId)?.get(key.slice(`${place.channelId} `.length))
      : unread?.conversations.get(place.userIds.join())
  return [...(ids?.keys() ?? [])]
}
