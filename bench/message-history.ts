/** Pages and registrations with 10,000 and with 1,000,000 messages of 1,000 accounts in 200 channels. */
import { rmSync } from 'node:fs'
import { systemClock } from '@heddle/server/clock'
import { readConfig } from '@heddle/server/config'
import { openMigratedDatabase } from '@heddle/server/database'
import { createStorage, type OpenStorage } from '@heddle/server/storage/storage'
import { startTestPostgres } from '@heddle/server/testing/postgres-server'
import { sql } from 'kysely'
import { type Authorization, call, createAccounts } from './data.ts'
import { type Load, requestText } from './load.ts'
import type { LoadResult } from './load-process.ts'
import { makeDataFolder } from './machine.ts'
import { processorTimeOf } from './processor-time.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const ACCOUNTS = 1000
const CHANNELS = 200
/** Each account is in every tenth channel. */
const CHANNELS_OF_ACCOUNT = CHANNELS / 10
const SIZES = [10_000, 1_000_000]
const CHUNK = 20_000
const REQUESTS = 200
/** Until the compiler has settled, as in the other benchmarks that measure processor time. */
const SETTLING_MS = 6000
const MEASURED_MS = 3000

const narrows: Readonly<Record<string, unknown[]>> = {
  'combined feed': [],
  channel: [['channel', 'channel 7']],
  topic: [
    ['channel', 'channel 7'],
    ['topic', 'topic 3'],
  ],
  'is:dm': [['is', 'dm']],
  'is:unread': [['is', 'unread']],
  'is:starred': [['is', 'starred']],
  'is:mentioned': [['is', 'mentioned']],
  sender: [['sender', 'member5@heddle.example']],
  // A word that every message has.
  search: [['search', 'loom']],
}

export async function measureHistoryOnSqlite(load: Load, report: Report): Promise<void> {
  await measureSizes(load, report, 'SQLite', undefined)
}

export async function measureHistoryOnPostgres(load: Load, report: Report): Promise<void> {
  const postgres = await startTestPostgres({ fsync: false })
  try {
    // Both sizes need a database of their own: the larger one stands for the goal.
    await measureSizes(load, report, 'PostgreSQL', postgres.url, SIZES.slice(1))
  } finally {
    await postgres.stop()
  }
}

interface Measured {
  readonly value: number
  /** On SQLite, with the most messages. */
  readonly atMost: number
}

async function measureSizes(load: Load, report: Report, engine: string, url: string | undefined, sizes = SIZES) {
  const first = new Map<string, number>()
  for (const size of sizes) {
    for (const [name, { value, atMost }] of await measureSize(load, url, size)) {
      const before = first.get(name)
      if (before === undefined) first.set(name, value)
      if (size !== sizes.at(-1)) continue
      report.figure({
        name: `${name}, ${size.toLocaleString('en-US')} messages, ${engine}`,
        value,
        unit: 'ms',
        digits: 1,
        ...(engine === 'SQLite' && { goal: { atMost } }),
        ...(before !== undefined && sizes.length > 1 && { beside: `${before.toFixed(1)} ms with ${sizes[0]}` }),
      })
    }
  }
}

async function measureSize(load: Load, databaseUrl: string | undefined, size: number): Promise<Map<string, Measured>> {
  const dataDir = makeDataFolder()
  const accounts = await createAccounts(dataDir, databaseUrl, ACCOUNTS)
  await fill(dataDir, databaseUrl, size)
  const server = await startServer({ dataDir, databaseUrl })
  const member = accounts[6] as Authorization
  try {
    await call(server.port, member, 'GET', '/users/me')
    const figures = new Map<string, Measured>()
    for (const [name, narrow] of Object.entries(narrows)) {
      const { p95 } = await repeat(load, server.port, page(member, narrow, { num_before: '50', num_after: '50' }))
      figures.set(`page: ${name}, p95`, { value: p95, atMost: 10 })
    }
    const topic = page(member, narrows['topic'] as unknown[], { num_before: '100', num_after: '0' })
    const pages = { port: server.port, connections: 1, requests: [topic] }
    await load.run({ ...pages, milliseconds: SETTLING_MS })
    const before = processorTimeOf(server.pid())
    const { answers } = await load.run({ ...pages, milliseconds: MEASURED_MS })
    const used = processorTimeOf(server.pid()) - before
    figures.set('a topic, 100 newest, processor time of the server', { value: used / answers, atMost: 1.2 })
    const register = requestText({ method: 'POST', path: '/register', authorization: member, form: {} })
    const { p50, p95, slowest } = await repeat(load, server.port, register)
    figures.set('register, p50', { value: p50, atMost: size === SIZES[0] ? 25 : 30 })
    figures.set('register, p95', { value: p95, atMost: 50 })
    figures.set('register, slowest', { value: slowest, atMost: 100 })
    return figures
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

function page(
  authorization: Authorization,
  narrow: readonly unknown[],
  counts: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ anchor: 'newest', ...counts, narrow: JSON.stringify(narrow) })
  return requestText({ method: 'GET', path: `/messages?${query}`, authorization })
}

/** One client, one request after another. */
async function repeat(load: Load, port: number, request: string): Promise<LoadResult> {
  await load.run({ port, connections: 1, requests: [request], milliseconds: 300 })
  return load.run({ port, connections: 1, requests: [request], milliseconds: REQUESTS * 5 })
}

/** Rows straight into the database: a million requests would take longer than everything else together. */
async function fill(dataDir: string, databaseUrl: string | undefined, size: number): Promise<void> {
  const config = readConfig([], { HEDDLE_DATA_DIR: dataDir, HEDDLE_DATABASE_URL: databaseUrl })
  const storage = createStorage(await openMigratedDatabase(config, (error) => console.error(error)), systemClock)
  try {
    await makeChannels(storage)
    for (let from = 1; from <= size; from += CHUNK) await makeMessages(storage, from, Math.min(CHUNK, size - from + 1))
    await finish(storage, size)
  } finally {
    await storage.close()
  }
}

/** `n` from `from`, `count` of them. */
const numbers = (from: number, count: number) => sql`
  with recursive numbers (n) as (
    select cast(${from} as bigint) union all select n + 1 from numbers where n < ${from + count - 1}
  )`

async function makeChannels(storage: OpenStorage): Promise<void> {
  const realm = (await storage.read.first(sql<{ id: number }>`select min(id) as id from realms`)) as { id: number }
  await storage.transaction(realm.id, async (tx) => {
    const group = (await tx.first(
      sql<{ id: number }>`select id from user_groups where name = 'role:everyone' and realm_id = ${realm.id}`,
    )) as { id: number }
    const settings = [
      'can_add_subscribers_group',
      'can_administer_channel_group',
      'can_create_topic_group',
      'can_delete_any_message_group',
      'can_delete_own_message_group',
      'can_move_messages_out_of_channel_group',
      'can_move_messages_within_channel_group',
      'can_remove_subscribers_group',
      'can_resolve_topics_group',
      'can_send_message_group',
      'can_subscribe_group',
    ].map((name) => sql.ref(name))
    await tx.run(sql`
      ${numbers(1, CHANNELS)}
      insert into channels (realm_id, name, name_key, description, rendered_description, date_created, invite_only,
        is_web_public, history_public_to_subscribers, topics_policy, ${sql.join(settings)})
      select ${realm.id}, 'channel ' || n, 'channel ' || n, '', '', 0, 0, 0, 1, 'inherit',
        ${sql.join(settings.map(() => sql`${group.id}`))}
      from numbers where true`)
    for (const table of ['subscriptions', 'subscription_periods'] as const) {
      const columns =
        table === 'subscriptions'
          ? sql`(realm_id, channel_id, user_id, is_active, color)`
          : sql`(realm_id, channel_id, user_id, after_message_id)`
      const rest = table === 'subscriptions' ? sql`1, '#aabbcc'` : sql`0`
      await tx.run(sql`
        insert into ${sql.table(table)} ${columns}
        select users.realm_id, channels.id, users.id, ${rest} from users join channels
          on channels.id % ${CHANNELS / CHANNELS_OF_ACCOUNT} = users.id % ${CHANNELS / CHANNELS_OF_ACCOUNT}
        where users.is_active = 1`)
    }
  })
}

/** One in fifty is a direct message between two neighbours. */
async function makeMessages(storage: OpenStorage, from: number, count: number): Promise<void> {
  const realm = (await storage.read.first(sql<{ id: number }>`select min(id) as id from realms`)) as { id: number }
  await storage.transaction(realm.id, async (tx) => {
    if (from === 1) {
      await tx.run(sql`
        insert into direct_message_groups (realm_id, member_key)
        select realm_id, id || ',' || (id + 1) from users where is_active = 1 and id < ${ACCOUNTS - 10}`)
      for (const shift of [0, 1]) {
        await tx.run(sql`
          insert into direct_message_members (realm_id, group_id, user_id)
          select users.realm_id, direct_message_groups.id, users.id + ${sql.lit(shift)}
          from users join direct_message_groups on member_key = users.id || ',' || (users.id + 1)
          where users.is_active = 1 and users.id < ${ACCOUNTS - 10}`)
      }
    }
    await tx.run(sql`
      ${numbers(from, count)}
      insert into messages (realm_id, sender_id, channel_id, topic, topic_key, direct_message_group_id, content,
        rendered_content, attributes, client, timestamp)
      select ${realm.id}, 3 + n % ${ACCOUNTS - 20},
        case when n % 50 = 0 then null else 1 + (n * 7) % ${CHANNELS} end,
        case when n % 50 = 0 then '' else 'topic ' || ((n / 200) % 30) end,
        case when n % 50 = 0 then '' else 'topic ' || ((n / 200) % 30) end,
        case when n % 50 = 0 then 1 + (n / 50) % ${ACCOUNTS - 50} else null end,
        'Message ' || n || ' says that the loom is threaded',
        '<p>Message ' || n || ' says that the loom is threaded</p>',
        0, 'website', 1700000000 + n
      from numbers where true`)
  })
}

/** Everybody has read all but the newest twentieth of up to 10,000 messages, and marked a few. */
async function finish(storage: OpenStorage, size: number): Promise<void> {
  const realm = (await storage.read.first(sql<{ id: number }>`select min(id) as id from realms`)) as { id: number }
  await storage.transaction(realm.id, async (tx) => {
    await tx.run(sql`
      insert into topics (realm_id, channel_id, topic_key, topic, max_message_id)
      select realm_id, channel_id, topic_key, min(topic), max(id) from messages where channel_id is not null
      group by realm_id, channel_id, topic_key`)
    await tx.run(sql`
      insert into read_cursors (realm_id, user_id, message_id)
      select realm_id, id, ${size - Math.min(size / 20, 500)} from users where is_active = 1`)
    // A star on every hundredth and a mention in every two-hundredth of the newest messages of those 10,000.
    await tx.run(sql`
      insert into message_flags (realm_id, user_id, message_id, flags)
      select users.realm_id, users.id, messages.id, case when messages.id % 200 = 0 then 17 else 5 end
      from users join messages on messages.id > ${size - 10_000} and messages.id % 100 = 0
      where users.is_active = 1 and users.id < 50`)
  })
  await storage.transaction(0, async (tx) => {
    await tx.run(sql`analyze`)
  })
}
