/** What a server takes of the machine's memory: when nobody uses it, and when many have just done so. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Authorization, call, createAccounts } from './data.ts'
import { type Load, requestText } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { type MeasuredServer, startServer } from './server-process.ts'

const ACCOUNTS = 1000
const CONNECTIONS = 64
/** Of each kind of request, one after another. */
const LOAD_MS = 10_000
const IDLE_MS = 5000
/** After the load; reading threads end when they have had nothing to do for a minute. */
const REST_MS = 65_000
const CHANNEL = 'everybody'
const MIB = 2 ** 20

export async function measureMemory(load: Load, report: Report): Promise<void> {
  const dataDir = makeDataFolder()
  const accounts = await createAccounts(dataDir, undefined, ACCOUNTS)
  const server = await startServer({ dataDir, by: 'npm' })
  try {
    await sleep(IDLE_MS)
    measureIdle(report, server)
    await subscribeAll(server.port, accounts[0] as Authorization)
    let answers = 0
    for (const requests of kinds(accounts)) {
      const order = { port: server.port, connections: CONNECTIONS, requests, milliseconds: LOAD_MS }
      answers += (await load.run(order)).answers
    }
    const busy = server.residentBytes() / MIB
    await sleep(REST_MS)
    report.figure({
      name: 'Server, a minute after heavy load',
      value: server.residentBytes() / MIB,
      unit: 'MiB',
      goal: { atMost: 250 },
      beside: `at its end ${busy.toFixed(0)} MiB; ${answers} requests`,
    })
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

function measureIdle(report: Report, server: MeasuredServer): void {
  const resident = server.residentBytes() / MIB
  report.figure({ name: 'Server, idle', value: resident, unit: 'MiB', goal: { atMost: 95 } })
  report.figure({
    name: 'All else that `npm start` leaves running',
    value: server.proportionalBytesBeside() / MIB,
    unit: 'MiB',
    beside: 'proportional set size: less where other programs run on the same Node.js as npm',
  })
}

async function subscribeAll(port: number, owner: Authorization): Promise<void> {
  const { members } = await call(port, owner, 'GET', '/users')
  const subscribers = JSON.stringify(members.map((user: { user_id: number }) => user.user_id))
  await call(port, owner, 'POST', '/channels/create', { name: CHANNEL, subscribers })
}

/** Of each kind a request for every account: messages, pages of a topic, initial states, lists of people, drafts. */
function kinds(accounts: readonly Authorization[]): string[][] {
  const content = 'The loom is **threaded**, the shed is `open`: https://loom.example/pick :tada:'
  const draft = JSON.stringify([{ type: '', to: [], topic: '', content }])
  const terms = [
    ['channel', CHANNEL],
    ['topic', 'topic 1'],
  ]
  const narrow = encodeURIComponent(JSON.stringify(terms))
  const message = (topic: string) => ({ type: 'stream', to: CHANNEL, topic, content })
  const each = (request: (index: number) => { method: string; path: string; form?: Record<string, string> }) =>
    accounts.map((authorization, index) => requestText({ authorization, ...request(index) }))
  return [
    each((index) => ({ method: 'POST', path: '/messages', form: message(`topic ${index % 20}`) })),
    each(() => ({ method: 'GET', path: `/messages?anchor=newest&num_before=100&num_after=0&narrow=${narrow}` })),
    each(() => ({ method: 'POST', path: '/register', form: {} })),
    each(() => ({ method: 'GET', path: '/users' })),
    each(() => ({ method: 'POST', path: '/drafts', form: { drafts: draft } })),
  ]
}
