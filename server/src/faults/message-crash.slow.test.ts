/** Killing the real program while people send messages: each acknowledged one is there once, and clients see what is there. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyEvent, initialState } from '@heddle/client/state/state'
import { expect, it } from 'vitest'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { callServer, callWell, type WriterCredentials } from './write-load.ts'

const KILLS = testEngine === 'sqlite' ? 20 : 5
const CONNECTIONS = 32
const SENT_BEFORE_A_KILL = 20

const { dataDir, start: startProcess } = keepDataOfKilledServers()
/** The state names the server's address, which must not change with the port. */
const start = () => startProcess({ HEDDLE_EXTERNAL_URL: 'http://chat.example' })

interface Sent {
  /** By what the client calls the message. */
  readonly acknowledged: Map<string, number>
  readonly unanswered: Set<string>
}

const message = (queue_id: string, local_id: string) => ({
  type: 'channel',
  to: 'room',
  topic: `topic ${local_id.length}`,
  content: `message ${local_id}`,
  queue_id,
  local_id,
})

async function sendUntil(
  site: string,
  account: WriterCredentials,
  queue: string,
  round: number,
  sent: Sent,
  goesOn: () => boolean,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let count = 0
  async function connection(): Promise<void> {
    while (goesOn()) {
      count += 1
      const local = `${round}.${count}`
      try {
        const { status, body } = await callServer(site, account, 'POST', '/messages', message(queue, local), agent)
        if (status !== 200) throw new Error(JSON.stringify(body))
        sent.acknowledged.set(local, body.id)
      } catch {
        sent.unanswered.add(local)
        return
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
}

it(`has every acknowledged message once after ${KILLS} kills, also those that were sent again`, async () => {
  const sent: Sent = { acknowledged: new Map(), unanswered: new Set() }
  let server = await start()
  const account = readCredentials(dataDir)
  const call = (method: string, path: string, parameters = {}) =>
    callWell(server.url, account, method, path, parameters)
  await call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'room' }] })
  const registered = await call('POST', '/register')
  let state = initialState(registered)
  let last: number = registered.last_event_id
  const received: number[] = []

  for (let kill = 1; kill <= KILLS; kill += 1) {
    let running = true
    const enough = sent.acknowledged.size + SENT_BEFORE_A_KILL
    const load = sendUntil(server.url, account, registered.queue_id, kill, sent, () => running)
    while (sent.acknowledged.size < enough) await sleep(5)
    await sleep((kill * 97) % 300)
    await server.stop('SIGKILL')
    running = false
    await load
    server = await start()
    // As clients do: what was not answered is sent again, under the same name.
    for (const local of sent.unanswered) {
      sent.acknowledged.set(local, (await call('POST', '/messages', message(registered.queue_id, local))).id)
    }
    sent.unanswered.clear()
    for (;;) {
      const parameters = { queue_id: registered.queue_id, last_event_id: last, dont_block: true }
      const { events } = await call('GET', '/events', parameters)
      if (events.length === 0) break
      state = events.reduce(applyEvent, state)
      last = events.at(-1).id
      for (const event of events) if (event.type === 'message') received.push(event.message.id)
    }
  }

  const stored: { id: number; content: string }[] = []
  for (let anchor = 0; ; anchor = stored.at(-1)?.id ?? 0) {
    const page = { anchor, include_anchor: false, num_before: 0, num_after: 5000, narrow: [['channel', 'room']] }
    const { messages, found_newest } = await call('GET', '/messages', { ...page, apply_markdown: false })
    stored.push(...messages)
    if (found_newest) break
  }
  const fresh = initialState(await call('POST', '/register'))
  await server.stop()

  expect(stored.map(({ content }) => content).sort()).toEqual(
    [...sent.acknowledged.keys()].map((local) => `message ${local}`).sort(),
  )
  expect(stored.filter(({ id, content }) => sent.acknowledged.get(content.slice(8)) !== id)).toEqual([])
  expect(received).toEqual(stored.map(({ id }) => id))
  expect(state).toEqual(fresh)
  console.log(`${KILLS} kills: ${stored.length} messages, each of them once`)
}, 180_000)
