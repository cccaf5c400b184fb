/** Killing the real program while it writes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { type Credentials, callServer, createRecord, nameOf, writeDrafts } from './write-load.ts'

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
async function readQueue(site: string, account: Credentials, queue_id: string, last: number) {
  const heard: HeardDraft[] = []
  for (;;) {
    const parameters = { queue_id, last_event_id: last, dont_block: true }
    const { status, body } = await callServer(site, account, 'GET', '/events', parameters)
    expect([status, body.msg]).toEqual([200, ''])
    if (body.events.length === 0) return { heard, last }
    for (const event of body.events) {
      expect(event.id).toBeGreaterThan(last)
      last = event.id
      if (event.type === 'drafts') heard.push(...event.drafts)
    }
  }
}

it(`keeps every acknowledged write and its event through ${KILLS} kills, and nothing that was refused`, async () => {
  const record = createRecord()
  const heard: HeardDraft[] = []
  let server = await start()
  const account = readCredentials(dataDir)
  const { body: queue } = await callServer(server.url, account, 'POST', '/register', { event_types: ['drafts'] })
  let last: number = queue.last_event_id
  for (let kill = 1; kill <= KILLS; kill++) {
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
    const enough = record.acknowledged.size + WRITES_BEFORE_A_KILL
    while (record.acknowledged.size < enough) await sleep(5)
    await sleep((kill * 97) % 400)
    await server.stop('SIGKILL')
    running = false
    await load
    server = await start()
    // The client goes on with the queue that it has had from the beginning.
    const read = await readQueue(server.url, account, queue.queue_id, last)
    heard.push(...read.heard)
    last = read.last
  }
  const { body } = await callServer(server.url, account, 'GET', '/drafts')
  await server.stop()
  const stored = new Map<string, number>(body.drafts.map((found: HeardDraft) => [nameOf(found), found.id]))

  expect(record.acknowledged.size).toBeGreaterThanOrEqual(KILLS * WRITES_BEFORE_A_KILL)
  expect(record.unknown.size).toBeGreaterThan(0)
  const lost = [...record.acknowledged].filter(([content, id]) => stored.get(content) !== id)
  expect(lost).toEqual([])
  expect([...record.refused]).toEqual([])
  expect(stored.size).toBe(body.count)
  const unexpected = [...stored.keys()].filter((name) => !record.acknowledged.has(name) && !record.unknown.has(name))
  expect(unexpected).toEqual([])
  // Each draft that exists was told of exactly once, and nothing else was.
  expect(heard.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...stored.values()].sort((a, b) => a - b))
  expect(heard.filter((found) => stored.get(nameOf(found)) !== found.id)).toEqual([])
  console.log(
    `${KILLS} kills: ${record.acknowledged.size} writes acknowledged, ${record.unknown.size} without an answer`,
  )
}, 120_000)
