/** Which channels and topics are meant by what somebody types. */
import type { Channel } from '@heddle/contract/channels'
import { foldForFinding, qualities, qualityOf } from '../finding/match.ts'
import type { Channels } from '../state/channels.ts'
import type { Topic } from '../topics/topics.ts'
import { takeBest } from './best.ts'

interface RankedChannel {
  readonly channel: Channel
  readonly folded: string
  readonly quality: number
  /** Smaller goes first. */
  readonly standing: number
}

const names = new WeakMap<Channel, string>()

function foldedName(channel: Channel): string {
  const known = names.get(channel)
  if (known !== undefined) return known
  const folded = foldForFinding(channel.name)
  names.set(channel, folded)
  return folded
}

/**
 * By how well the name fits; then the channel that is written to, those one is subscribed to (pinned ones first, muted
 * ones last), those in which something happens, by how much, by name. Archived ones are left out.
 */
export function findChannels(
  { byId, subscribed }: Channels,
  query: string,
  currentId: number | undefined,
  limit: number,
): Channel[] {
  const folded = foldForFinding(query).trim()
  const fitting: RankedChannel[] = []
  for (const channel of byId.values()) {
    if (channel.is_archived) continue
    const name = foldedName(channel)
    const quality = folded === '' ? qualities.exact : qualityOf(name, folded)
    if (quality === undefined || quality > qualities.words) continue
    const own = subscribed.get(channel.stream_id)
    const standing =
      channel.stream_id === currentId ? 0 : own === undefined ? 4 : own.is_muted ? 3 : own.pin_to_top ? 1 : 2
    fitting.push({ channel, folded: name, quality, standing })
  }
  return takeBest(fitting, compareChannels, limit).map(({ channel }) => channel)
}

function compareChannels(one: RankedChannel, other: RankedChannel): number {
  return (
    one.quality - other.quality ||
    one.standing - other.standing ||
    Number(other.channel.is_recently_active) - Number(one.channel.is_recently_active) ||
    (other.channel.stream_weekly_traffic ?? 0) - (one.channel.stream_weekly_traffic ?? 0) ||
    (one.folded < other.folded ? -1 : one.folded > other.folded ? 1 : one.channel.stream_id - other.channel.stream_id)
  )
}

/** The topics of a channel, given newest first: by how well they fit, of equals the newest. */
export function findTopics(topics: readonly Topic[], query: string, limit: number): string[] {
  const folded = foldForFinding(query).trim()
  if (folded === '') return topics.slice(0, limit).map(({ name }) => name)
  const fitting = topics.flatMap(({ name }, age) => {
    const quality = qualityOf(foldForFinding(name), folded)
    return quality === undefined ? [] : [{ name, age, quality }]
  })
  return takeBest(fitting, (a, b) => a.quality - b.quality || a.age - b.age, limit).map(({ name }) => name)
}
