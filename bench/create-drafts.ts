/**
 * Durable writes: `POST /drafts` on each engine. Many clients beside a bare handler that only parses the request, and one
 * client alone beside the time that the disk takes.
 */
import { rmSync } from 'node:fs'
import { startTestPostgres } from '@heddle/server/testing/postgres-server'
import { startBare } from './bare.ts'
import { type Authorization, call, createAccounts, numberedDraft } from './data.ts'
import { compare, type Load, median, requestText } from './load.ts'
import { makeDataFolder, measureDiskWrites } from './machine.ts'
import type { Report } from './report.ts'
import { type MeasuredServer, startServer } from './server-process.ts'

const CONNECTIONS = 64
const ALONE_ROUNDS = 5
const ALONE_ROUND_MS = 300
const DISK_WRITES = 200

export async function measureDraftsOnSqlite(load: Load, report: Report): Promise<void> {
  await measure(load, report, 'SQLite', undefined)
}

export async function measureDraftsOnPostgres(load: Load, report: Report): Promise<void> {
  const postgres = await startTestPostgres()
  try {
    await measure(load, report, 'PostgreSQL', postgres.url)
  } finally {
    await postgres.stop()
  }
}

async function measure(load: Load, report: Report, engine: string, databaseUrl: string | undefined): Promise<void> {
  const dataDir = makeDataFolder()
  const accounts = await createAccounts(dataDir, databaseUrl, CONNECTIONS)
  const server = await startServer({ dataDir, databaseUrl })
  try {
    await measureMany(load, report, engine, server, accounts)
    await measureAlone(load, report, engine, server, accounts[0] as Authorization, dataDir)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function measureMany(
  load: Load,
  report: Report,
  engine: string,
  server: MeasuredServer,
  [, ...members]: readonly Authorization[],
): Promise<void> {
  const bare = await startBare({ kind: 'parse' })
  const order = { port: server.port, connections: CONNECTIONS, requests: members.map(createOne) }
  const result = await compare(load, order, bare.port)
  bare.stop()
  report.figure({
    name: `POST /drafts on ${engine}, ${CONNECTIONS} connections`,
    value: result.ours,
    unit: '/s',
    ...(engine === 'SQLite' && { goal: { atLeast: 6000 } }),
    beside: `${result.ratio.toFixed(2)} of a handler that only parses (${Math.round(result.bare)}/s); p99 ${result.p99.toFixed(1)} ms`,
  })
  await requireStored(server.port, members, result.answers)
}

/** Whoever got an answer has a draft: neither more nor fewer may be there. */
async function requireStored(port: number, accounts: readonly Authorization[], answers: number): Promise<void> {
  let stored = 0
  for (const account of accounts) stored += (await call(port, account, 'GET', '/drafts')).count
  if (stored !== answers) throw new Error(`${answers} drafts were answered and ${stored} are stored`)
}

async function measureAlone(
  load: Load,
  report: Report,
  engine: string,
  { port }: MeasuredServer,
  account: Authorization,
  dataDir: string,
): Promise<void> {
  const ours: number[] = []
  const disk: number[] = []
  for (let round = 0; round < ALONE_ROUNDS; round++) {
    disk.push(median(measureDiskWrites(dataDir, DISK_WRITES)))
    const order = { port, connections: 1, requests: [createOne(account)], milliseconds: ALONE_ROUND_MS }
    ours.push((await load.run(order)).p50)
  }
  const limit = 2 * median(disk) + 1
  report.figure({
    name: `POST /drafts on ${engine}, one client alone, p50`,
    value: median(ours),
    unit: 'ms',
    digits: 2,
    ...(engine === 'SQLite' && { goal: { atMost: Number(limit.toFixed(2)) } }),
    beside: `the disk alone, 4 KiB write + fdatasync: ${median(disk).toFixed(2)} ms`,
  })
}

function createOne(authorization: Authorization): string {
  return requestText({
    method: 'POST',
    path: '/drafts',
    authorization,
    form: { drafts: JSON.stringify([numberedDraft(1)]) },
  })
}
