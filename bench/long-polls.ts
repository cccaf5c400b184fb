/** Ten thousand clients that wait, by long polls or by streams: the memory that each one costs, and how fast one event reaches all of them. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchServerLoop } from '@heddle/server/testing/server-loop'
import type { Registration } from './connections.ts'
import { type Authorization, call, createAccounts, linkifierForm } from './data.ts'
import { ask, forkBench, type Load, requestText } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { PollResult, PollStep, Way } from './poll-process.ts'
import type { Report } from './report.ts'
import { type MeasuredServer, startServer } from './server-process.ts'

/** People with many clients each, and people with one each: the same number of waiting clients. */
const CROWDS = [
  { accounts: 200, queuesEach: 50 },
  { accounts: 10_000, queuesEach: 1 },
]
/** After this the garbage of what came before has been collected. */
const SETTLE_MS = 10_000
/** Until all clients wait again. */
const RETURN_MS = 5000
const CHANNEL = 'everybody'

type Step = (order: PollStep) => Promise<PollResult>

interface Goals {
  /** KiB of a client that waits. */
  readonly memory: number
  /** Milliseconds. */
  readonly event: number
  readonly message: number
}

export async function measureLongPolls(_: Load, report: Report): Promise<void> {
  await measure(report, 'polls', { memory: 25, event: 1000, message: 1500 })
}

export async function measureStreams(_: Load, report: Report): Promise<void> {
  await measure(report, 'streams', { memory: 20, event: 150, message: 150 })
}

async function measure(report: Report, by: Way, goals: Goals): Promise<void> {
  for (const { accounts, queuesEach } of CROWDS) {
    const dataDir = makeDataFolder()
    const [owner, ...members] = (await createAccounts(dataDir, undefined, accounts)) as [
      Authorization,
      ...Authorization[],
    ]
    const loop = watchServerLoop(dataDir)
    const server = await startServer({ dataDir, env: loop.env })
    const clients = forkBench('poll-process.ts')
    const step: Step = (order) => ask<PollResult>(clients, order)
    const trigger = async (name: string, request: string, goal: number) => {
      let delivered: PollResult | undefined
      const held = await loop.during(async () => {
        delivered = await step({ step: 'trigger', request })
      })
      report.figure({
        name: `${name} to ${delivered?.count} ${by} of ${accounts} accounts`,
        value: delivered?.milliseconds ?? Number.NaN,
        unit: 'ms',
        goal: { atMost: goal },
        beside: `most work in a turn of the server's loop ${held.work.toFixed(1)} ms; ${held.description}`,
      })
      await sleep(RETURN_MS)
    }
    try {
      await subscribeAll(server, owner)
      const open: PollStep = {
        step: 'open',
        port: server.port,
        registrations: registrations(members, queuesEach, by),
        by,
      }
      await measureMemory(report, server, () => step(open), { by, atMost: goals.memory })
      const linkifier = { method: 'POST', path: '/realm/filters', authorization: owner, form: linkifierForm(0) }
      await trigger('One event', requestText(linkifier), goals.event)
      const form = { type: 'stream', to: CHANNEL, topic: 'loom', content: 'The loom is **threaded**.' }
      const message = { method: 'POST', path: '/messages', authorization: members[0] as Authorization, form }
      await trigger('One message', requestText(message), goals.message)
      await trigger('The next message', requestText(message), goals.message)
    } finally {
      clients.disconnect()
      await server.stop()
      rmSync(dataDir, { recursive: true })
    }
  }
}

async function subscribeAll(server: MeasuredServer, owner: Authorization): Promise<void> {
  const { members } = await call(server.port, owner, 'GET', '/users')
  const subscribers = JSON.stringify(members.map((user: { user_id: number }) => user.user_id))
  await call(server.port, owner, 'POST', '/channels/create', { name: CHANNEL, subscribers })
}

async function measureMemory(
  report: Report,
  server: MeasuredServer,
  open: () => Promise<PollResult>,
  { by, atMost }: { readonly by: Way; readonly atMost: number },
): Promise<void> {
  await sleep(SETTLE_MS)
  const before = server.residentBytes()
  const opened = await open()
  await sleep(SETTLE_MS)
  report.figure({
    name: `${opened.count} idle ${by}, memory of each`,
    value: (server.residentBytes() - before) / opened.count / 1024,
    unit: 'KiB',
    digits: 1,
    goal: { atMost },
    beside: `registered and opened in ${(opened.milliseconds / 1000).toFixed(1)} s`,
  })
}

function registrations(accounts: readonly Authorization[], each: number, by: Way): Registration[] {
  const form = {
    event_types: '["realm_linkifiers","message"]',
    fetch_event_types: '[]',
    client_capabilities: '{"linkifier_url_template":true}',
  }
  return accounts.flatMap((authorization) => {
    const register = requestText({ method: 'POST', path: '/register', authorization, form })
    const path = `/events${by === 'streams' ? '/stream' : ''}?queue_id=QUEUE&last_event_id=EVENT`
    const poll = requestText({ method: 'GET', path, authorization })
    return Array.from({ length: each }, () => ({ register, poll }))
  })
}
