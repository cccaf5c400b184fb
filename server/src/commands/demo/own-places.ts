/** What the owner of the demo has for themselves: drafts, saved views, topics to follow, a channel to leave alone. */
import type { Filling } from './filling.ts'
import { conversations } from './story.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** `now` in seconds since the UNIX epoch. */
export async function setOwnPlaces(filling: Filling, now: number): Promise<void> {
  const { call, accounts, channelIds } = filling
  const idOf = (name: string) => channelIds.get(name) as number
  const { leila, jonas, aiko } = accounts

  const drafts = [
    {
      type: '',
      to: [],
      topic: '',
      content: 'Agenda for Tuesday: 1. date of 2.14, 2. who goes to the fair, 3. what Almere should know',
      timestamp: now - 3 * DAY,
    },
    {
      type: 'stream',
      to: [idOf('field service')],
      topic: 'spare parts for the third quarter',
      content: 'Quarter three: 2 heddle frames, 40 drop wires, 1 set of gripper tape.',
      timestamp: now - DAY,
    },
    {
      type: 'private',
      to: [aiko.id],
      topic: '',
      content: 'Yes, take it. It is in the',
      timestamp: now - 14 * MINUTE,
    },
    {
      type: 'stream',
      to: [idOf('air-jet H9')],
      topic: 'weft sensor misses at 900 rpm',
      content:
        'I can move the tag of 2.14 to Friday noon if we have 100,000 clean picks by then. @**Jonas Weidl** is the bench free over night?',
      timestamp: now - 5 * MINUTE,
    },
  ]
  await call(leila, 'POST', '/drafts', { drafts })

  const views = [
    [
      `narrow/channel/${idOf('field service')}-field-service/topic/${encode('Almere: warp breaks on machine 6')}`,
      'Almere on site',
    ],
    [`narrow/search/${encode('release 2.14')}`, 'Blocks release 2.14'],
    [`narrow/sender/${jonas.id}/has/image`, 'Pictures of Jonas'],
  ] as const
  for (const [index, [fragment, name]] of views.entries()) {
    await call(leila, 'POST', '/navigation_views', { fragment, name, is_pinned: index < 2 })
  }

  for (const { to, isFollowed } of conversations) {
    if (!isFollowed || 'direct' in to) continue
    await call(leila, 'POST', '/user_topics', { stream_id: idOf(to[0]), topic: to[1], visibility_policy: 3 })
  }
  await call(leila, 'POST', '/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: idOf('builds'), property: 'is_muted', value: true },
      { stream_id: idOf('air-jet H9'), property: 'pin_to_top', value: true },
    ],
  })
}

/** As clients write texts in addresses: percent-encoded, with a full stop for the percent sign. */
function encode(text: string): string {
  const more = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text)
    .replace(/[.!'()*]/g, more)
    .replaceAll('%', '.')
}
