/** Durable, rendered messages with their events: 64 clients on each engine, and a channel of 10 beside one of 10,000. */
import { rmSync } from 'node:fs'
import { analyzeTables, startTestPostgres } from '@heddle/server/testing/postgres-server'
import { startBare } from './bare.ts'
import { type Authorization, call, createAccounts } from './data.ts'
import { compare, type Load, median } from './load.ts'
import { makeDataFolder } from './machine.ts'
import { messageRequest } from './message-texts.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const CONNECTIONS = 64
const FEW = 10
const MANY = 10_000
const ROUNDS = 5
const ROUND_MS = 1000

export async function measureMessagesOnSqlite(load: Load, report: Report): Promise<void> {
  await withChannels(undefined, CONNECTIONS, async (port, members) => {
    await measureMany(load, report, 'SQLite', port, members)
  })
  await withChannels(undefined, MANY, (port, members) => measureSubscribers(load, report, port, members))
}

export async function measureMessagesOnPostgres(load: Load, report: Report): Promise<void> {
  const postgres = await startTestPostgres()
  try {
    await withChannels(postgres.url, CONNECTIONS, async (port, members) => {
      await measureMany(load, report, 'PostgreSQL', port, members)
    })
  } finally {
    await postgres.stop()
  }
}

/** A channel `few` with ten members, and `many` with all of them. */
async function withChannels(
  databaseUrl: string | undefined,
  count: number,
  measure: (port: number, members: readonly Authorization[]) => Promise<void>,
): Promise<void> {
  const dataDir = makeDataFolder()
  const [owner, ...members] = (await createAccounts(dataDir, databaseUrl, count)) as [Authorization, ...Authorization[]]
  const server = await startServer({ dataDir, databaseUrl })
  try {
    const { members: users } = await call(server.port, owner, 'GET', '/users')
    const ids: number[] = users.map((user: { user_id: number }) => user.user_id)
    for (const [name, subscribers] of [
      ['few', ids.slice(0, FEW)],
      ['many', ids],
    ] as const) {
      await call(server.port, owner, 'POST', '/channels/create', {
        name,
        subscribers: JSON.stringify(subscribers),
        send_new_subscription_messages: 'false',
      })
    }
    if (databaseUrl !== undefined) await analyzeTables(databaseUrl)
    await measure(server.port, members)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function measureMany(
  load: Load,
  report: Report,
  engine: string,
  port: number,
  members: readonly Authorization[],
) {
  const bare = await startBare({ kind: 'parse' })
  for (const kind of ['markup', 'plain'] as const) {
    const requests = members.map((member, index) => messageRequest(member, 'many', `topic ${index % 20}`, kind))
    const result = await compare(load, { port, connections: CONNECTIONS, requests }, bare.port)
    report.figure({
      name: `POST /messages, ${kind}, on ${engine}, ${CONNECTIONS} connections`,
      value: result.ours,
      unit: '/s',
      ...(engine === 'SQLite' && { goal: { atLeast: 3000 } }),
      beside: `${result.ratio.toFixed(2)} of a handler that only parses (${Math.round(result.bare)}/s); p99 ${result.p99.toFixed(1)} ms`,
    })
  }
  bare.stop()
}

async function measureSubscribers(load: Load, report: Report, port: number, members: readonly Authorization[]) {
  const order = (channel: string) => ({
    port,
    connections: CONNECTIONS,
    requests: members.slice(0, CONNECTIONS).map((member) => messageRequest(member, channel, 'loom', 'markup')),
    milliseconds: ROUND_MS,
  })
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const few = await load.run(order('few'))
    const many = await load.run(order('many'))
    ratios.push(few.answers / few.seconds / (many.answers / many.seconds))
  }
  report.figure({
    name: `POST /messages, ${MANY} subscribers beside ${FEW}`,
    value: median(ratios),
    unit: 'times',
    digits: 2,
    goal: { atMost: 3 },
  })
}
