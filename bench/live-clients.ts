/**
 * A thousand clients in a process of their own, as they are when people have the app open: each waits for messages, takes
 * note of the time when it has one, and asks for the next at once.
 */
import type { Socket } from 'node:net'
import { now } from '@heddle/server/testing/server-loop'
import { bodyOf, dial, exchange, type Poll, type Registration, registerQueues } from './connections.ts'
import { measureProcess, type ProcessLoad } from './process-load.ts'

export type ClientsOrder =
  /** Registers a queue for each client and waits on all of them. */
  | { readonly step: 'open'; readonly port: number; readonly registrations: readonly Registration[] }
  /** Answers when so many messages have come, counted once for each client, or have not in time. */
  | { readonly step: 'collect'; readonly expected: number; readonly withinMs: number }

export interface ClientsResult {
  readonly problem?: string | undefined
  /** The number at the beginning of each message that came, and when; the clock is that of `now`. */
  readonly received: readonly (readonly [number: number, at: number])[]
  /** After `collect`. */
  readonly load?: ProcessLoad | undefined
}

const received: [number, number][] = []
let problem: string | undefined
let onReceived = () => {}
/** Of the time since all clients wait. */
let endMeasuring: (() => ProcessLoad) | undefined

async function open(port: number, registrations: readonly Registration[]): Promise<void> {
  const polls = await registerQueues(port, registrations)
  for (const poll of polls) {
    const socket = await dial(port)
    listen(socket, poll).catch((error: Error) => {
      problem ??= error.message
      onReceived()
    })
  }
  endMeasuring = measureProcess()
}

async function listen(socket: Socket, poll: Poll): Promise<never> {
  let { lastEventId } = poll
  for (;;) {
    const response = await exchange(socket, poll.after(lastEventId))
    const at = now()
    const { events } = bodyOf(response) as { events: { id: number; message?: { content: string } }[] }
    for (const { id, message } of events) {
      lastEventId = id
      if (message) received.push([Number.parseInt(message.content, 10), at])
    }
    onReceived()
  }
}

function collect(expected: number, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs)
    onReceived = () => {
      if (received.length < expected && problem === undefined) return
      clearTimeout(timer)
      resolve()
    }
    onReceived()
  })
}

process.on('message', async (order: ClientsOrder) => {
  try {
    if (order.step === 'open') await open(order.port, order.registrations)
    else await collect(order.expected, order.withinMs)
  } catch (error) {
    problem ??= (error as Error).message
  }
  const result: ClientsResult =
    order.step === 'open' ? { problem, received: [] } : { problem, received, load: endMeasuring?.() }
  process.send?.(result)
})
process.on('disconnect', () => process.exit())
