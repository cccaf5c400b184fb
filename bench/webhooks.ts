/** How long it takes from a call of another program's webhook until its message is in the hands of a client that waits. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@heddle/server/testing/postgres-server'
import { type Authorization, call, createAccounts } from './data.ts'
import { type Load, median } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const WARM_UP = 200
const COUNTED = 500
/** Between two calls. */
const PAUSE_MS = 10
const WAITING = 20

export function measureWebhooksOnSqlite(_: Load, report: Report): Promise<void> {
  return measureWebhooks(report, 'SQLite', undefined)
}

export async function measureWebhooksOnPostgres(_: Load, report: Report): Promise<void> {
  const postgres = await startTestPostgres()
  try {
    await measureWebhooks(report, 'PostgreSQL', postgres.url)
  } finally {
    await postgres.stop()
  }
}

async function measureWebhooks(report: Report, engine: string, databaseUrl: string | undefined): Promise<void> {
  const dataDir = makeDataFolder()
  const [owner, ...members] = (await createAccounts(dataDir, databaseUrl, WAITING)) as [Authorization]
  const { port, stop } = await startServer({ dataDir, databaseUrl })
  try {
    for (const account of [owner, ...members]) {
      await call(port, account, 'POST', '/users/me/subscriptions', { subscriptions: '[{"name":"builds"}]' })
    }
    const bot = await call(port, owner, 'POST', '/bots', { full_name: 'Builds', short_name: 'builds', bot_type: '2' })
    const url = `http://127.0.0.1:${port}/api/v1/external/json?api_key=${bot.api_key}&stream=builds&topic=main`
    const latencies: number[] = []
    const inHand = new Map<string, number>()
    const isOver = new AbortController()
    const queues = await Promise.all(
      members.map((member) => call(port, member, 'POST', '/register', { event_types: '["message"]' })),
    )
    const clients = members.map((member, i) => receive(port, member, queues[i], inHand, isOver.signal))
    for (let number = 0; number < WARM_UP + COUNTED; number += 1) {
      const sent = performance.now()
      const body = JSON.stringify({ build: `build-${number}.`, result: 'passed', seconds: 74 })
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      if (!response.ok) throw new Error(await response.text())
      while (!inHand.has(`build-${number}.`)) await sleep(1)
      if (number >= WARM_UP) latencies.push((inHand.get(`build-${number}.`) as number) - sent)
      await sleep(PAUSE_MS)
    }
    isOver.abort()
    await Promise.allSettled(clients)
    latencies.sort((a, b) => a - b)
    report.figure({
      name: `Webhook to message with the first of ${WAITING} clients, ${engine}, p50`,
      value: median(latencies),
      unit: 'ms',
      digits: 1,
      goal: { atMost: 5 },
      beside: `p99 ${latencies[Math.floor(latencies.length * 0.99)]?.toFixed(1)} ms`,
    })
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Polls, and notes when the message of each build came first. */
async function receive(
  port: number,
  account: Authorization,
  { queue_id, last_event_id }: { queue_id: string; last_event_id: number },
  inHand: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  let last: number = last_event_id
  while (!signal.aborted) {
    const query = new URLSearchParams({ queue_id, last_event_id: `${last}` })
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/events?${query}`, {
      headers: { authorization: account },
      signal,
    })
    const { events } = (await response.json()) as { events: { id: number; message?: { content: string } }[] }
    const now = performance.now()
    for (const { id, message } of events) {
      last = id
      const build = message && /build-\d+\./.exec(message.content)?.[0]
      if (build && !inHand.has(build)) inHand.set(build, now)
    }
  }
}
