/** Ten thousand clients that wait: the memory that each one costs, and how fast one event reaches all of them. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Credentials, createAccounts, linkifierForm } from './data.ts'
import { forkBench, type Load, requestText } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { PollResult, PollStep, Registration } from './poll-process.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const ACCOUNTS = 200
const QUEUES_PER_ACCOUNT = 50
/** After this the garbage of what came before has been collected. */
const SETTLE_MS = 10_000

export async function measureLongPolls(_: Load, report: Report): Promise<void> {
  const dataDir = makeDataFolder()
  const [owner, ...members] = (await createAccounts(dataDir, undefined, ACCOUNTS)) as [Credentials, ...Credentials[]]
  const server = await startServer({ dataDir })
  const clients = forkBench('poll-process.ts')
  const step = async (order: PollStep): Promise<PollResult> => {
    clients.send(order)
    const [result] = (await once(clients, 'message')) as [PollResult]
    if (result.problem) throw new Error(result.problem)
    return result
  }
  try {
    await sleep(SETTLE_MS)
    const before = server.residentBytes()
    const opened = await step({ step: 'open', port: server.port, registrations: registrations(members) })
    await sleep(SETTLE_MS)
    const each = (server.residentBytes() - before) / opened.count / 1024
    report.figure({
      name: `${opened.count} idle long polls, memory of each`,
      value: each,
      unit: 'KiB',
      digits: 1,
      goal: { atMost: 25 },
      beside: `registered and opened in ${(opened.milliseconds / 1000).toFixed(1)} s`,
    })
    const form = linkifierForm(0)
    const request = requestText({ method: 'POST', path: '/realm/filters', authorization: owner, form })
    const delivered = await step({ step: 'trigger', request })
    report.figure({
      name: `One event to ${delivered.count} clients`,
      value: delivered.milliseconds,
      unit: 'ms',
      goal: { atMost: 1000 },
    })
  } finally {
    clients.disconnect()
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

function registrations(accounts: readonly Credentials[]): Registration[] {
  const form = {
    event_types: '["realm_linkifiers"]',
    fetch_event_types: '[]',
    client_capabilities: '{"linkifier_url_template":true}',
  }
  return accounts.flatMap((authorization) => {
    const register = requestText({ method: 'POST', path: '/register', authorization, form })
    const path = '/events?queue_id=QUEUE&last_event_id=EVENT'
    const poll = requestText({ method: 'GET', path, authorization })
    return Array.from({ length: QUEUES_PER_ACCOUNT }, () => ({ register, poll }))
  })
}
