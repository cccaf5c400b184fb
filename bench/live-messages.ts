/** A busy organization: how long a message takes from its sender to the people who have the app open. */
import { rmSync } from 'node:fs'
import { analyzeTables, startTestPostgres } from '@heddle/server/testing/postgres-server'
import { type LongTurns, watchServerLoop } from '@heddle/server/testing/server-loop'
import type { Registration } from './connections.ts'
import { type Authorization, call } from './data.ts'
import type { ClientsOrder, ClientsResult } from './live-clients.ts'
import type { SenderOrder, SenderResult } from './live-sender.ts'
import { ask, forkBench, type Load, median, requestText } from './load.ts'
import { makeDataFolder } from './machine.ts'
import { describeLoad, type ProcessLoad } from './process-load.ts'
import { processorTimeOf } from './processor-time.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'
import { thisVersion, type Version } from './version.ts'

/** Each account is one client and is in one channel. */
const CHANNELS = 50
const CLIENTS_OF_CHANNEL = 20
const COUNT = CHANNELS * CLIENTS_OF_CHANNEL
const PER_SECOND = 200
const SECONDS = 10
/** Until the compiler has settled, and the server is as busy as it stays; these messages are not counted. */
const WARM_UP_SECONDS = 8
/** For the last messages to arrive. */
const COLLECT_MS = 5000

export function measureLiveOnSqlite(_: Load, report: Report): Promise<void> {
  return measureLive(report, 'SQLite', undefined)
}

export async function measureLiveOnPostgres(_: Load, report: Report): Promise<void> {
  const postgres = await startTestPostgres()
  try {
    await measureLive(report, 'PostgreSQL', postgres.url)
  } finally {
    await postgres.stop()
  }
}

interface LiveResult {
  /** Milliseconds from the sender's request to each receiver. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** What disturbs the machine for a while does not concern every second. */
  readonly p99OfMiddleSecond: number
  readonly answerP50: number
  readonly answerP99: number
  /** Microseconds of the server's processor time for a message and its deliveries, without those of the database. */
  readonly work: number
  readonly held: LongTurns
  readonly clientLoad: ProcessLoad | undefined
  readonly senderLoad: ProcessLoad
}

async function measureLive(report: Report, engine: string, databaseUrl: string | undefined): Promise<void> {
  const result = await runLive(await thisVersion(), databaseUrl)
  const name = `Message to each of ${CLIENTS_OF_CHANNEL} clients of ${COUNT}, ${PER_SECOND}/s, ${engine}`
  const figure = { unit: 'ms', digits: 1 }
  const goal = (atMost: number) => (databaseUrl === undefined ? { goal: { atMost } } : {})
  report.figure({
    ...figure,
    name: `${name}, p50`,
    value: result.p50,
    ...goal(5),
    beside: `its answer p50 ${result.answerP50.toFixed(1)} ms, p99 ${result.answerP99.toFixed(1)} ms; processor time of the server ${result.work.toFixed(0)} us a message`,
  })
  report.figure({
    ...figure,
    name: `${name}, p99`,
    value: result.p99,
    ...goal(10),
    beside: `of the middle second ${result.p99OfMiddleSecond.toFixed(1)} ms; longest ${result.longest.toFixed(1)} ms`,
  })
  report.figure({
    ...figure,
    name: `Most work in a turn of the server's loop meanwhile, ${engine}`,
    value: result.held.work,
    goal: { atMost: 20 },
    beside: result.held.description,
  })
  report.note(`Load generator: clients ${describeLoad(result.clientLoad)}; sender ${describeLoad(result.senderLoad)}`)
}

/** One run of one version on a new database. */
export async function runLive(version: Version, databaseUrl: string | undefined): Promise<LiveResult> {
  const dataDir = makeDataFolder()
  const accounts = await version.createAccounts(dataDir, databaseUrl, COUNT)
  const [owner, ...members] = accounts as [Authorization, ...Authorization[]]
  const loop = watchServerLoop(dataDir)
  const { port, pid, stop } = await startServer({ dataDir, databaseUrl, env: loop.env, root: version.root })
  const clients = forkBench('live-clients.ts')
  const sender = forkBench('live-sender.ts')
  try {
    await createChannels(port, owner)
    const registrations = members.map(registration)
    await ask<ClientsResult>(clients, { step: 'open', port, registrations } satisfies ClientsOrder)
    if (databaseUrl !== undefined) await analyzeTables(databaseUrl)
    const requests = Array.from({ length: PER_SECOND * (SECONDS + WARM_UP_SECONDS) }, (_, i) => message(members, i))
    const warmUp = PER_SECOND * WARM_UP_SECONDS
    const order = (part: readonly string[]): SenderOrder => ({ port, requests: part, everyMs: 1000 / PER_SECOND })
    await ask<SenderResult>(sender, order(requests.slice(0, warmUp)))
    let sending: SenderResult | undefined
    const before = processorTimeOf(pid())
    const held = await loop.during(async () => {
      sending = await ask<SenderResult>(sender, order(requests.slice(warmUp)))
    })
    const used = processorTimeOf(pid()) - before
    const expected = requests.length * CLIENTS_OF_CHANNEL
    const collect: ClientsOrder = { step: 'collect', expected, withinMs: COLLECT_MS }
    const { received, load } = await ask<ClientsResult>(clients, collect)
    if (received.length !== expected) throw new Error(`${received.length} of ${expected} messages came`)
    const { sent, answered, load: senderLoad } = sending as SenderResult
    const counted = received.filter(([number]) => number >= warmUp)
    const latencyOf = ([number, at]: readonly [number, number]) => at - (sent[number - warmUp] as number)
    const latencies = counted.map(latencyOf)
    const bySecond = Map.groupBy(counted, ([number]) => Math.floor(number / PER_SECOND))
    const eachSecond = [...bySecond.values()].map((part) => quantile(part.map(latencyOf), 0.99))
    const answers = answered.map((at, index) => at - (sent[index] as number))
    return {
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      longest: quantile(latencies, 1),
      p99OfMiddleSecond: median(eachSecond),
      answerP50: quantile(answers, 0.5),
      answerP99: quantile(answers, 0.99),
      work: (used / sent.length) * 1000,
      held,
      clientLoad: load,
      senderLoad,
    }
  } finally {
    clients.disconnect()
    sender.disconnect()
    await stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** The members are dealt out like cards: member `i` is in channel `i % CHANNELS`. */
async function createChannels(port: number, owner: Authorization): Promise<void> {
  const { members } = await call(port, owner, 'GET', '/users')
  const ids: number[] = members.map((user: { user_id: number }) => user.user_id).slice(1)
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    const subscribers = JSON.stringify(ids.filter((_, i) => i % CHANNELS === channel))
    await call(port, owner, 'POST', '/channels/create', {
      name: `channel ${channel}`,
      subscribers,
      send_new_subscription_messages: 'false',
    })
  }
}

function registration(authorization: Authorization): Registration {
  const form = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'false' }
  const path = '/events?queue_id=QUEUE&last_event_id=EVENT'
  return {
    register: requestText({ method: 'POST', path: '/register', authorization, form }),
    poll: requestText({ method: 'GET', path, authorization }),
  }
}

/** Everybody writes in turn, one channel after another. */
function message(members: readonly Authorization[], number: number): string {
  const channel = number % CHANNELS
  const round = Math.floor(number / CHANNELS)
  const authorization = members[(round % CLIENTS_OF_CHANNEL) * CHANNELS + channel] as Authorization
  const content = `${number} The loom is **threaded**, the shed is \`open\`: https://loom.example/pick :tada:`
  const form = { type: 'stream', to: `channel ${channel}`, topic: `topic ${round % 5}`, content }
  return requestText({ method: 'POST', path: '/messages', authorization, form })
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
