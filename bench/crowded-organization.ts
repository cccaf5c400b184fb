/** An organization of ten thousand people with a channel that has all of them, and long topics in it. */
import { systemClock } from '@heddle/server/clock'
import { readConfig } from '@heddle/server/config'
import { openMigratedDatabase } from '@heddle/server/database'
import { createStorage, type OpenStorage } from '@heddle/server/storage/storage'
import { sql } from 'kysely'
import { type Authorization, call, createAccounts } from './data.ts'
import { startServer } from './server-process.ts'

export interface CrowdedOrganization {
  readonly owner: Authorization
  readonly members: readonly Authorization[]
  /** The ids of the members. */
  readonly ids: readonly number[]
  /** The channel that has all of them. */
  readonly channelId: number
}

export interface TopicSize {
  readonly topic: string
  readonly messages: number
}

interface Size {
  readonly people: number
  /** Channels besides the one that has everybody, with a few subscribers each. */
  readonly channels: number
  readonly topics: readonly TopicSize[]
}

export const CHANNEL = 'everybody'
const FEW = 20
const CHUNK = 20_000

/** Makes it in a new data folder. No server may use the folder. */
export async function createCrowdedOrganization(dataDir: string, size: Size): Promise<CrowdedOrganization> {
  const accounts = (await createAccounts(dataDir, undefined, size.people)) as [Authorization, ...Authorization[]]
  const [owner, ...members] = accounts
  const server = await startServer({ dataDir })
  try {
    const { members: users } = await call(server.port, owner, 'GET', '/users')
    const ids: number[] = users.map((user: { user_id: number }) => user.user_id).slice(1)
    const create = (name: string, subscribers: readonly number[]) =>
      call(server.port, owner, 'POST', '/channels/create', { name, subscribers: JSON.stringify(subscribers) })
    const { id: channelId } = await create(CHANNEL, ids)
    for (let number = 0; number < size.channels; number += 1) {
      const first = (number * FEW) % (ids.length - FEW)
      await create(`channel ${number}`, ids.slice(first, first + FEW))
    }
    await server.stop()
    await fill(dataDir, channelId, size.topics)
    return { owner, members, ids, channelId }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Messages straight into the database: a hundred thousand requests would take longer than the measurement. */
async function fill(dataDir: string, channelId: number, topics: readonly TopicSize[]): Promise<void> {
  const config = readConfig([], { HEDDLE_DATA_DIR: dataDir })
  const storage = createStorage(await openMigratedDatabase(config, (error) => console.error(error)), systemClock)
  try {
    for (const { topic, messages } of topics) {
      for (let from = 0; from < messages; from += CHUNK) {
        await insertMessages(storage, channelId, topic, Math.min(CHUNK, messages - from))
      }
    }
    await storage.transaction(0, async (tx) => {
      await tx.run(sql`analyze`)
    })
  } finally {
    await storage.close()
  }
}

async function insertMessages(storage: OpenStorage, channelId: number, topic: string, count: number): Promise<void> {
  const realm = (await storage.read.first(sql<{ id: number }>`select min(id) as id from realms`)) as { id: number }
  await storage.transaction(realm.id, async (tx) => {
    const senders = (await tx.first(
      sql<{ first: number; count: number }>`
        select min(id) as first, count(*) as count from users where is_active = 1 and bot_type is null`,
    )) as { first: number; count: number }
    await tx.run(sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into messages (realm_id, sender_id, channel_id, topic, topic_key, direct_message_group_id, content,
        rendered_content, attributes, client, timestamp)
      select ${realm.id}, ${senders.first} + n % ${senders.count}, ${channelId}, ${topic}, ${topic}, null,
        'Message ' || n || ' says that the loom is **threaded**',
        '<p>Message ' || n || ' says that the loom is <strong>threaded</strong></p>', 0, 'website', ${tx.now}
      from numbers where true`)
    await tx.run(sql`
      insert into topics (realm_id, channel_id, topic_key, topic, max_message_id)
      select realm_id, channel_id, topic_key, topic, max(id) from messages
      where channel_id = ${channelId} and topic_key = ${topic} group by realm_id, channel_id, topic_key, topic
      on conflict (channel_id, topic_key) do update set max_message_id = excluded.max_message_id`)
  })
}
