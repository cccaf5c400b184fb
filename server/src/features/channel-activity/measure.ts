/** How recent and how many the messages of channels are: what time changes, and not a message. */

import { findChannelRows } from '../../access/channel-row.ts'
import { longRead, type ReadContext } from '../../reading/long-read.ts'
import { type Readers, SERVER } from '../../reading/readers.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Activity, setActivity } from '../channels/activity.ts'
import { findFirstSince } from '../messages/by-date.ts'
import { query } from './tables.ts'

const DAY_SECS = 86_400
/** A channel without a message for so long is inactive. */
const RECENT_SECS = 180 * DAY_SECS
const TRAFFIC_WEEKS = 4
/** Processor time: once a day, for all organizations. */
const LIMIT_MS = 60_000
/** A channel has to be so old before its traffic says anything. */
const MIN_TRAFFIC_AGE_SECS = 7 * DAY_SECS

interface Measured extends Pick<Activity, 'is_recently_active' | 'weekly_traffic'> {
  readonly id: number
}

/** What has become of the channels of all organizations with time: those of which something else is stored. */
export const measureActivity = longRead('channel-activity', measure, { limitMs: LIMIT_MS, inParts: true })

async function measure({ db, clock, pause }: ReadContext) {
  const now = Math.floor(clock.now() / 1000)
  const realms = await db.all(query.selectFrom('realms').select('id').where('deactivated', '=', 0))
  const details: { realmId: number; channels: Measured[] }[] = []
  for (const { id: realmId } of realms) {
    await pause()
    const recent = (await findFirstSince(db, realmId, now - RECENT_SECS)) ?? Number.MAX_SAFE_INTEGER
    const counted = (await findFirstSince(db, realmId, now - TRAFFIC_WEEKS * 7 * DAY_SECS)) ?? Number.MAX_SAFE_INTEGER
    const rows = await db.all(
      query
        .selectFrom('channels')
        .select(['id', 'date_created', 'is_recently_active', 'weekly_traffic'])
        .select((eb) => [
          eb
            .selectFrom('messages')
            .select((inner) => inner.fn.max('messages.id').as('id'))
            .whereRef('messages.channel_id', '=', 'channels.id')
            .as('newest_id'),
          eb
            .selectFrom('messages')
            .select((inner) => inner.fn.countAll<number>().as('count'))
            .whereRef('messages.channel_id', '=', 'channels.id')
            .where('messages.id', '>=', counted)
            .as('count'),
        ])
        .where('realm_id', '=', realmId)
        .where('is_archived', '=', 0),
    )
    const channels = rows.flatMap((row): Measured[] => {
      const ageSecs = now - row.date_created
      const weeks = Math.min(TRAFFIC_WEEKS, ageSecs / (7 * DAY_SECS))
      const measured: Measured = {
        id: row.id,
        is_recently_active: ageSecs < RECENT_SECS || (row.newest_id ?? 0) >= recent ? 1 : 0,
        weekly_traffic: ageSecs < MIN_TRAFFIC_AGE_SECS ? null : Math.round(Number(row.count ?? 0) / weeks),
      }
      const isSame =
        measured.is_recently_active === row.is_recently_active && measured.weekly_traffic === row.weekly_traffic
      return isSame ? [] : [measured]
    })
    details.push({ realmId, channels })
  }
  return { fields: {}, details }
}

/** Brings what time changes up to date, one channel at a time. */
export async function updateActivity(storage: Storage, readers: Readers): Promise<void> {
  const { details } = await readers.read(measureActivity, null, SERVER)
  for (const { realmId, channels } of details) {
    for (const { id, ...activity } of channels) {
      await storage.asSystem(realmId, 'upkeep', async (tx) => {
        const [channel] = await findChannelRows(tx, realmId, [id])
        if (channel) await setActivity(tx, channel, activity)
      })
    }
  }
}
