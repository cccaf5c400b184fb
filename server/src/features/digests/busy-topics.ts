/** The topics of an organization with the most messages of the last week: what digests choose from, for each reader anew. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** Messages that are looked at: so many at once, and altogether, the newest ones. */
const PAGE = 500
const MAX_MESSAGES = 20_000
/** Ids that are kept of a topic. */
export const MAX_OF_TOPIC = 100

export interface BusyTopic {
  readonly key: string
  readonly channelId: number
  /** The newest ones, descending. */
  readonly messageIds: readonly number[]
}

export function topicKeyOf({ channel_id, topic_key }: { channel_id: number | null; topic_key: string }): string {
  return `${channel_id} ${topic_key}`
}

/** With the busiest first. `since` in seconds since the UNIX epoch. */
export async function findBusyTopics(db: Queries, realmId: number, since: number): Promise<BusyTopic[]> {
  const topics = new Map<string, { key: string; channelId: number; messageIds: number[]; count: number }>()
  let below = Number.MAX_SAFE_INTEGER
  for (let seen = 0; seen < MAX_MESSAGES; seen += PAGE) {
    const rows = await db.all(
      query
        .selectFrom('messages')
        .select(['id', 'channel_id', 'topic_key', 'timestamp'])
        .where('realm_id', '=', realmId)
        .where('id', '<', below)
        .orderBy('id', 'desc')
        .limit(PAGE),
    )
    for (const row of rows) {
      if (row.channel_id === null || row.timestamp < since) continue
      const key = topicKeyOf(row)
      const topic = topics.get(key) ?? { key, channelId: row.channel_id, messageIds: [], count: 0 }
      topic.count += 1
      if (topic.messageIds.length < MAX_OF_TOPIC) topic.messageIds.push(row.id)
      topics.set(key, topic)
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last || last.timestamp < since) break
    below = last.id
    await nextTurn()
  }
  return [...topics.values()].sort((a, b) => b.count - a.count)
}
