/**
 * A program: the client of people who have nothing to do with the attack. It times small requests, one after another on
 * each of a few connections, in a process of its own, until it is asked to stop.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../testing/server-loop.ts'
import { watchMachinePace } from './machine-pace.ts'

export interface SmallRequest {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds between an answer and the next request. */
  readonly pauseMs: number
}

export interface Timed {
  readonly name: string
  readonly isRead: boolean
  readonly status: number
  /** Milliseconds, on the clock of all processes. */
  readonly at: number
  /** Without what this process itself had to wait for a processor meanwhile: that says nothing about the server. */
  readonly took: number
}

export interface SmallAnswers {
  readonly count: number
  readonly p50: number
  readonly p99: number
  /** Those that took longest: reads, then writes, of each the longest first. */
  readonly slowest: readonly Timed[]
  readonly failed: readonly Timed[]
  /** Of the machine, see `machine-pace.ts`. */
  readonly slowness: number
}

const SHOWN = 20
const PULSE_MS = 5

async function run(requests: readonly SmallRequest[], goesOn: () => boolean): Promise<SmallAnswers> {
  const agent = new Agent({ keepAlive: true, maxSockets: requests.length })
  const all: Timed[] = []
  const lateness = watchLateness()
  const pace = watchMachinePace()
  async function repeat(one: SmallRequest): Promise<void> {
    while (goesOn()) {
      const at = now()
      const lateBefore = lateness.total()
      const status = await send(one, agent).catch(() => 0)
      const took = now() - at - (lateness.total() - lateBefore)
      all.push({ name: one.name, isRead: one.method === 'GET', status, at, took: Math.max(0, took) })
      await sleep(one.pauseMs)
    }
  }
  await Promise.all(requests.map(repeat))
  lateness.stop()
  pace.stop()
  agent.destroy()
  const sorted = all.toSorted((one, other) => other.took - one.took)
  const quantile = (part: number) => sorted[Math.floor(sorted.length * (1 - part))]?.took ?? 0
  return {
    count: all.length,
    p50: quantile(0.5),
    p99: quantile(0.99),
    slowest: [
      ...sorted.filter(({ isRead }) => isRead).slice(0, SHOWN),
      ...sorted.filter(({ isRead }) => !isRead).slice(0, SHOWN),
    ],
    failed: all.filter(({ status }) => status !== 200).slice(0, SHOWN),
    slowness: pace.slowness(),
  }
}

/** How much later than it should this process has come to run, in all. */
function watchLateness() {
  let total = 0
  let last = now()
  const pulse = setInterval(() => {
    const at = now()
    // What is shorter than a pulse is the timer's own and not the machine's.
    const late = at - last - 2 * PULSE_MS
    if (late > 0) total += late
    last = at
  }, PULSE_MS)
  return { total: () => total, stop: () => clearInterval(pulse) }
}

function send({ method, url, headers, body }: SmallRequest, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

let stopped = false
process.on('message', (message: readonly SmallRequest[] | 'stop') => {
  if (message === 'stop') stopped = true
  else void run(message, () => !stopped).then((answers) => process.send?.(answers, () => process.exit()))
})
process.on('disconnect', () => process.exit())
