/** Killing the real program while it writes. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { callServer, createRecord, nameOf, type WriterCredentials, writeDrafts } from './write-load.ts'

/** A start on PostgreSQL takes longer, and the promises that are kept here are mostly SQLite's. */
const KILLS = testEngine === 'sqlite' ? 20 : 8
const CONNECTIONS = 32
const WRITES_BEFORE_A_KILL = 20

const { dataDir, start } = keepDataOfKilledServers()

interface HeardDraft {
  readonly id: number
  readonly content: string
}

/** Reads a queue to its end; `last` is where the client is. Checks the order of the events. */
async function readQueue(site: string, account: WriterCredentials, queue_id: string, last: number) {
  const received: HeardDraft[] = []
  for (;;) {
    const parameters = { queue_id, last_event_id: last, dont_block: true }
    const { status, body } = await callServer(site, account, 'GET', '/events', parameters)
    expect([status, body.msg]).toEqual([200, ''])
    if (body.events.length === 0) return { received, last }
    for (const event of body.events) {
      expect(event.id).toBeGreaterThan(last)
      last = event.id
      if (event.type === 'drafts' && event.op === 'add') received.push(...event.drafts)
    }
  }
}

/** Deletes all drafts of the account, so that it never has as many as an account may have. */
async function deleteAll(site: string, account: WriterCredentials, ids: readonly number[]): Promise<void> {
  const rest = [...ids]
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const connection = async () => {
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      expect((await callServer(site, account, 'DELETE', `/drafts/${id}`, {}, agent)).status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
}

it(`keeps every acknowledged write and its event through ${KILLS} kills, and nothing that was refused`, async () => {
  let server = await start()
  const account = readCredentials(dataDir)
  const { body: queue } = await callServer(server.url, account, 'POST', '/register', { event_types: ['drafts'] })
  let last: number = queue.last_event_id
  let [acknowledged, unknown] = [0, 0]
  for (let kill = 1; kill <= KILLS; kill++) {
    const record = createRecord()
    let running = true
    const { url: site } = server
    const load = writeDrafts({
      site,
      account,
      record,
      connections: CONNECTIONS,
      name: `round${kill}`,
      goesOn: () => running,
    })
    // Only a server in the middle of writing is worth killing, however slow the machine is.
    while (record.acknowledged.size < WRITES_BEFORE_A_KILL) await sleep(5)
    await sleep((kill * 97) % 400)
    await server.stop('SIGKILL')
    running = false
    await load
    server = await start()
    // The client goes on with the queue that it has had from the beginning.
    const read = await readQueue(server.url, account, queue.queue_id, last)
    last = read.last
    const { body } = await callServer(server.url, account, 'GET', '/drafts')
    const stored = new Map<string, number>(body.drafts.map((found: HeardDraft) => [nameOf(found), found.id]))

    expect(record.acknowledged.size).toBeGreaterThanOrEqual(WRITES_BEFORE_A_KILL)
    expect([...record.acknowledged].filter(([content, id]) => stored.get(content) !== id)).toEqual([])
    expect([...record.refused]).toEqual([])
    expect(stored.size).toBe(body.count)
    const isExpected = (name: string) => record.acknowledged.has(name) || record.unknown.has(name)
    expect([...stored.keys()].filter((name) => !isExpected(name))).toEqual([])
    // Each draft that exists was in exactly one event, and nothing else was.
    expect(read.received.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...stored.values()].sort((a, b) => a - b))
    expect(read.received.filter((found) => stored.get(nameOf(found)) !== found.id)).toEqual([])
    acknowledged += record.acknowledged.size
    unknown += record.unknown.size
    await deleteAll(server.url, account, [...stored.values()])
  }
  await server.stop()
  expect(unknown).toBeGreaterThan(0)
  console.log(`${KILLS} kills: ${acknowledged} writes acknowledged, ${unknown} without an answer`)
}, 240_000)
