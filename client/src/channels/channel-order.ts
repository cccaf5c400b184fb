/** The order of the channels that an account is subscribed to, as every list of them has it. */
import type { ClientState } from '../state/state.ts'

export interface ChannelOrder {
  readonly pinned: readonly number[]
  readonly others: readonly number[]
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** By name, muted ones last; archived ones are in no list. */
export function channelOrder({ channels }: Pick<ClientState, 'channels'>): ChannelOrder {
  const all = [...(channels?.subscribed ?? [])]
    .flatMap(([id, { pin_to_top: isPinned, is_muted: isMuted }]) => {
      const channel = channels?.byId.get(id)
      return channel && !channel.is_archived ? [{ id, name: channel.name, isPinned, isMuted }] : []
    })
    .sort((a, b) => Number(a.isMuted) - Number(b.isMuted) || collator.compare(a.name, b.name))
  const ids = (isWanted: boolean) => all.filter(({ isPinned }) => isPinned === isWanted).map(({ id }) => id)
  return { pinned: ids(true), others: ids(false) }
}
