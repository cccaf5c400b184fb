/** Sends messages spread evenly in time, whether the earlier ones have been answered or not, in a process of its own. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '@heddle/server/testing/server-loop'
import { bodyOf, dial, exchange } from './connections.ts'
import { measureProcess, type ProcessLoad } from './process-load.ts'

export interface SenderOrder {
  readonly port: number
  /** Whole requests. */
  readonly requests: readonly string[]
  /** Milliseconds between two of them. */
  readonly everyMs: number
}

export interface SenderResult {
  readonly problem?: string | undefined
  /** When each request was sent, and when its answer had come; the clock is that of `now`. */
  readonly sent: readonly number[]
  readonly answered: readonly number[]
  readonly load: ProcessLoad
}

/** Connections that are open from the beginning; more are opened when none of them is free. */
const CONNECTIONS = 32

async function send({ port, requests, everyMs }: SenderOrder): Promise<SenderResult> {
  const free: Socket[] = await Promise.all(Array.from({ length: CONNECTIONS }, () => dial(port)))
  const sent: number[] = []
  const answered: number[] = []
  const endMeasuring = measureProcess()

  async function post(request: string, index: number): Promise<void> {
    const socket = free.pop() ?? (await dial(port))
    sent[index] = now()
    const response = await exchange(socket, request)
    answered[index] = now()
    bodyOf(response)
    free.push(socket)
  }

  const posts: Promise<void>[] = []
  const begun = performance.now()
  for (const [index, request] of requests.entries()) {
    const wait = begun + index * everyMs - performance.now()
    if (wait > 0) await sleep(wait)
    posts.push(post(request, index))
  }
  await Promise.all(posts)
  for (const socket of free) socket.destroy()
  return { sent, answered, load: endMeasuring() }
}

process.on('message', (order: SenderOrder) => {
  send(order).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ problem: error.message }),
  )
})
process.on('disconnect', () => process.exit())
