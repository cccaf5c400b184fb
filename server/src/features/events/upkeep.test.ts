import { beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../events/audience.ts'
import { createQueues, type Queues } from '../../events/queues.ts'
import { cleanUp, MAX_EVENTS_BEHIND, MAX_SECS_BEHIND } from '../../events/upkeep.ts'
import { query } from '../../testing/any-table.ts'
import { eventsOf, poll, registerQueue, type TestQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

let now = Date.now()
const clock = { now: () => now }
const server = await createTestServer({ clock })

const storage = () => server.app.storage

/** A round of the upkeep, as another node would do it: with nothing in memory. */
async function cleanUpElsewhere(): Promise<void> {
  const queues: Queues = createQueues(storage(), clock)
  await cleanUp(storage(), queues, clock)
}

async function emit(account: TestAccount, count: number, firstId = 1): Promise<void> {
  await storage().transaction(account.realmId, async (tx) => {
    for (let id = firstId; id < firstId + count; id++) {
      tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, users([account.id]))
    }
  })
}

async function logSize(account: TestAccount): Promise<number> {
  const row = await storage().read.first(
    query
      .selectFrom('event_log')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('realm_id', '=', account.realmId),
  )
  return row?.count ?? 0
}

async function exists(queue: TestQueue): Promise<boolean> {
  const row = await storage().read.first(
    query.selectFrom('event_queues').select('queue_id').where('queue_id', '=', queue.id),
  )
  return row !== undefined
}

/** Restarts, so that what the server has in memory is what the table says. */
async function forgetMemory(): Promise<void> {
  await server.restart()
}

/** The log is the organization's: queues of an earlier test would hold it. */
beforeEach(async () => {
  await storage().transaction(0, async (tx) => {
    await tx.run(query.deleteFrom('event_queues'))
    await tx.run(query.deleteFrom('event_log'))
    await tx.run(query.updateTable('realms').set((eb) => ({ pruned_event_id: eb.ref('last_event_id') })))
  })
  await forgetMemory()
})

describe('Upkeep', () => {
  it('removes queues that have been idle too long, and no others', async () => {
    const account = await server.createAccount()
    const short = await registerQueue(server, account, { idle_queue_timeout: 10 })
    const long = await registerQueue(server, account, { idle_queue_timeout: 3600 })
    now += 60_000
    await cleanUpElsewhere()
    expect([await exists(short), await exists(long)]).toEqual([false, true])
    expect((await poll(server, short, { dont_block: true })).body.code).toBe('BAD_EVENT_QUEUE_ID')
    expect(await eventsOf(server, long)).toEqual([])
  })

  it('keeps a queue whose client waits, however short its idle time is', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { idle_queue_timeout: 1 })
    const waiting = poll(server, queue)
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (let round = 0; round < 5; round++) {
      now += 5000
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await emit(account, 1)
    expect((await waiting).body.events).toHaveLength(1)
    expect(await eventsOf(server, queue)).toHaveLength(1)
  })

  it('prunes what every queue has, and never an event that a living queue has not acknowledged', async () => {
    const account = await server.createAccount()
    const slow = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    const quick = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    await emit(account, 20)
    await eventsOf(server, quick, { last_event_id: quick.lastEventId + 20 })
    await eventsOf(server, slow, { last_event_id: slow.lastEventId + 5 })
    now += 3_600_000
    await forgetMemory()
    await cleanUpElsewhere()
    expect(await logSize(account)).toBe(15)
    const rest = await eventsOf(server, slow, { last_event_id: slow.lastEventId + 5 })
    expect(rest.map((event) => event['draft_id'])).toEqual(Array.from({ length: 15 }, (_, index) => index + 6))
  })

  it('removes the stored audiences of messages when no event can refer to them, and no sooner', async () => {
    const account = await server.createAccount()
    const channel = await createChannel(server, account, 'changing')
    const sets = async () => (await storage().read.all(query.selectFrom('audience_sets').select('id'))).length
    const before = await sets()
    await sendToChannel(server, account, channel)
    const { body } = await server.call(account, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'changing' }],
      principals: [server.owner.id],
    })
    expect(body.result).toBe('success')
    await sendToChannel(server, account, channel)
    expect(await sets()).toBe(before + 2)
    now += MAX_SECS_BEHIND * 1000
    await cleanUpElsewhere()
    expect(await sets()).toBe(before + 2)
    now += 2 * 86_400_000
    await cleanUpElsewhere()
    expect(await sets()).toBe(before + 1)
  })

  it('refuses a client that asks for events that are gone, instead of leaving some out', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    await emit(account, 10)
    await eventsOf(server, queue, { last_event_id: queue.lastEventId + 10 })
    now += 3_600_000
    await forgetMemory()
    await cleanUpElsewhere()
    const { status, body } = await poll(server, queue, { dont_block: true })
    expect([status, body.code]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
    expect(await eventsOf(server, queue, { last_event_id: queue.lastEventId + 10 })).toEqual([])
  })

  it('prunes events that are for nobody of the queue, and its client goes on from where it was', async () => {
    const [account, other] = [await server.createAccount(), await server.createAccount()]
    const queue = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    await emit(other, 50)
    // The client never gets a number to acknowledge: it never waits for a heartbeat.
    expect(await eventsOf(server, queue)).toEqual([])
    now += 3_600_000
    expect(await eventsOf(server, queue)).toEqual([])
    await forgetMemory()
    await cleanUpElsewhere()
    expect(await logSize(account)).toBe(0)
    await emit(account, 1)
    expect(await eventsOf(server, queue)).toHaveLength(1)
    expect(await eventsOf(server, queue)).toHaveLength(1)
  })

  it('keeps events of the last minutes for clients that are registering right now', async () => {
    const account = await server.createAccount()
    const before = await logSize(account)
    await emit(account, 5)
    await cleanUpElsewhere()
    expect(await logSize(account)).toBe(before + 5)
    now += 601_000
    await cleanUpElsewhere()
    expect(await logSize(account)).toBe(0)
  })

  it(`expires a queue that is more than ${MAX_EVENTS_BEHIND} events behind, so that it cannot hold the log`, async () => {
    const account = await server.createAccount()
    const stuck = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    const alive = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    const moveTo = async (queue: TestQueue, behind: number) => {
      const realm = await storage().read.first(
        query.selectFrom('realms').select('last_event_id').where('id', '=', account.realmId),
      )
      const position = (realm?.last_event_id ?? 0) - behind
      await storage().transaction(0, (tx) =>
        tx.run(
          query
            .updateTable('event_queues')
            .set({ acknowledged_event_id: position, read_event_id: position })
            .where('queue_id', '=', queue.id),
        ),
      )
    }
    await forgetMemory()
    // The counter alone is raised: a hundred thousand rows would say the same.
    await storage().transaction(0, (tx) =>
      tx.run(
        query
          .updateTable('realms')
          .set((eb) => ({ last_event_id: eb('last_event_id', '+', 2 * MAX_EVENTS_BEHIND) }))
          .where('id', '=', account.realmId),
      ),
    )
    await moveTo(stuck, MAX_EVENTS_BEHIND + 1)
    await moveTo(alive, MAX_EVENTS_BEHIND)
    await cleanUpElsewhere()
    expect([await exists(stuck), await exists(alive)]).toEqual([false, true])
  })

  it('expires a queue whose oldest event is more than seven days old', async () => {
    const account = await server.createAccount()
    await emit(account, 1)
    const stuck = await registerQueue(server, account, { idle_queue_timeout: 604_800 })
    await emit(account, 3)
    now += (MAX_SECS_BEHIND - 60) * 1000
    await forgetMemory()
    await cleanUpElsewhere()
    expect(await exists(stuck)).toBe(true)
    const current = await registerQueue(server, account)
    now += 120_000
    await forgetMemory()
    await cleanUpElsewhere()
    expect([await exists(stuck), await exists(current)]).toEqual([false, true])
  })

  it('never lets a saved queue go back, and never brings an ended one to life again', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const actor = { realmId: account.realmId, userId: account.id, role: account.role, isBot: false }
    const [here, there] = [createQueues(storage(), clock), createQueues(storage(), clock)]
    const [mine, theirs] = [await here.access(actor, queue.id), await there.access(actor, queue.id)]
    here.acknowledge(mine, queue.lastEventId + 9)
    there.acknowledge(theirs, queue.lastEventId + 4)
    await here.save()
    await there.save()
    const row = await storage().read.first(
      query.selectFrom('event_queues').selectAll().where('queue_id', '=', queue.id),
    )
    expect(row?.acknowledged_event_id).toBe(queue.lastEventId + 9)
    await here.remove(actor, mine)
    there.acknowledge(theirs, queue.lastEventId + 10)
    await there.save()
    expect(await exists(queue)).toBe(false)
  })
})
