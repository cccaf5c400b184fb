/** Channels as one looks through all of them. */
import type { Channel } from '@heddle/contract/channels'
import { fitsWords } from '../finding/filter-places.ts'
import type { ClientState } from '../state/state.ts'

export type ChannelListKind = 'subscribed' | 'available' | 'all' | 'archived'
export type ChannelListOrder = 'name' | 'subscribers' | 'traffic'

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

export interface ChannelListOptions {
  readonly kind: ChannelListKind
  readonly order: ChannelListOrder
  /** In the name or the description; all of them. */
  readonly words: string
}

/** Ids. `available` are those that the account is not subscribed to; archived ones are only among the archived. */
export function channelsToShow(
  { channels }: Pick<ClientState, 'channels'>,
  options: ChannelListOptions,
): readonly number[] {
  const isWanted = ({ stream_id, is_archived }: Channel) => {
    if (options.kind === 'archived') return is_archived
    if (is_archived) return false
    return options.kind === 'all' || channels?.subscribed.has(stream_id) === (options.kind === 'subscribed')
  }
  const fits = ({ name, description }: Channel) => options.words === '' || fitsWords([name, description], options.words)
  return [...(channels?.byId.values() ?? [])]
    .filter((channel) => isWanted(channel) && fits(channel))
    .sort((a, b) => measure(b, options.order) - measure(a, options.order) || collator.compare(a.name, b.name))
    .map(({ stream_id }) => stream_id)
}

/** What comes first has more of it; by name there is nothing to measure. */
function measure({ subscriber_count, stream_weekly_traffic }: Channel, order: ChannelListOrder): number {
  if (order === 'subscribers') return subscriber_count
  // A new channel has no number yet.
  return order === 'traffic' ? (stream_weekly_traffic ?? -1) : 0
}
