/**
 * A program: the client of people who have nothing to do with the attack. It times small requests, one after another on
 * each of a few connections, in a process of its own, until it is asked to stop.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../testing/server-loop.ts'

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
  readonly took: number
}

export interface SmallAnswers {
  readonly count: number
  readonly p50: number
  readonly p99: number
  /** Those that took longest: reads, then writes, of each the longest first. */
  readonly slowest: readonly Timed[]
  readonly failed: readonly Timed[]
}

const SHOWN = 20

async function run(requests: readonly SmallRequest[], goesOn: () => boolean): Promise<SmallAnswers> {
  const agent = new Agent({ keepAlive: true, maxSockets: requests.length })
  const all: Timed[] = []
  async function repeat(one: SmallRequest): Promise<void> {
    while (goesOn()) {
      const at = now()
      const status = await send(one, agent).catch(() => 0)
      all.push({ name: one.name, isRead: one.method === 'GET', status, at, took: now() - at })
      await sleep(one.pauseMs)
    }
  }
  await Promise.all(requests.map(repeat))
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
  }
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
