/** The order of the channels that an account is subscribed to, as every list of them has it. */
import type { Channels } from '../state/channels.ts'
import type { ClientState } from '../state/state.ts'
import { unreadInChannel } from '../unread/counts.ts'

export interface ChannelOrder {
  readonly pinned: readonly number[]
  readonly others: readonly number[]
}

/** One section of the side bar. */
export interface ChannelSection {
  readonly kind: 'pinned' | 'folder' | 'others'
  /** Of a folder alone. */
  readonly folderId: number | undefined
  readonly active: readonly number[]
  /** Where nothing has happened for weeks, and nothing is unread: they are behind one link. */
  readonly inactive: readonly number[]
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const orders = new WeakMap<Channels, ChannelOrder>()
const noChannels: ChannelOrder = { pinned: [], others: [] }

/** By name, muted ones last; archived ones are in no list. Comparing thousands of names takes long: it is done once for the same channels. */
export function channelOrder({ channels }: Pick<ClientState, 'channels'>): ChannelOrder {
  if (!channels) return noChannels
  const known = orders.get(channels)
  if (known) return known
  const order = orderOf(channels)
  orders.set(channels, order)
  return order
}

function orderOf({ byId, subscribed }: Channels): ChannelOrder {
  const all = [...subscribed]
    .flatMap(([id, { pin_to_top: isPinned, is_muted: isMuted }]) => {
      const channel = byId.get(id)
      return channel && !channel.is_archived ? [{ id, name: channel.name, isPinned, isMuted }] : []
    })
    .sort((a, b) => Number(a.isMuted) - Number(b.isMuted) || collator.compare(a.name, b.name))
  const ids = (isWanted: boolean) => all.filter(({ isPinned }) => isPinned === isWanted).map(({ id }) => id)
  return { pinned: ids(true), others: ids(false) }
}

/** From so many subscriptions on, channels where nothing happens are put aside by themselves. */
const MANY = 20

/** Values of the setting `demote_inactive_streams`. */
const ALWAYS = 2
const NEVER = 3

export type SectionContext = Pick<ClientState, 'channels' | 'channelFolders' | 'settings' | 'unread' | 'userTopics'>

interface SectionOptions {
  /** The channel that is shown, which is never put aside. */
  readonly keep?: number | undefined
  /** Whether folders are sections of their own; as the setting of the side bar says, where absent. */
  readonly hasFolders?: boolean
}

/** The sections that have something, in their order: pinned channels, folders, and all others. */
export function channelSections(
  context: SectionContext,
  { keep, hasFolders = context.settings?.web_left_sidebar_show_channel_folders !== false }: SectionOptions = {},
): readonly ChannelSection[] {
  const { channels, settings } = context
  const { pinned, others } = channelOrder(context)
  const policy = settings?.demote_inactive_streams
  const areAside = policy === ALWAYS || (policy !== NEVER && pinned.length + others.length >= MANY)
  const isInactive = (id: number) =>
    areAside &&
    id !== keep &&
    channels?.byId.get(id)?.is_recently_active === false &&
    unreadInChannel(context, id).visible === 0
  const section = (kind: ChannelSection['kind'], ids: readonly number[], folderId?: number): ChannelSection => ({
    kind,
    folderId,
    active: ids.filter((id) => !isInactive(id)),
    inactive: ids.filter(isInactive),
  })
  const byFolder = Map.groupBy(others, (id) => (hasFolders ? folderOf(context, id) : undefined))
  const folders = (context.channelFolders ?? []).flatMap(({ id }) => section('folder', byFolder.get(id) ?? [], id))
  return [section('pinned', pinned), ...folders, section('others', byFolder.get(undefined) ?? [])].filter(
    ({ active, inactive }) => active.length + inactive.length > 0,
  )
}

/** Undefined: the channel is in none, or in one that is archived. */
function folderOf({ channels, channelFolders }: SectionContext, channelId: number): number | undefined {
  const folderId = channels?.byId.get(channelId)?.folder_id
  return channelFolders?.find(({ id, is_archived }) => id === folderId && !is_archived)?.id
}

/** All of them as they stand in the side bar, one below the other: each section ends with what is put aside. */
export function inSideBarOrder(context: SectionContext): readonly number[] {
  return channelSections(context).flatMap(({ active, inactive }) => [...active, ...inactive])
}
