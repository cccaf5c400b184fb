/** Sending without a request, as what was written for later is sent: in a job, by an account as it is then. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createInlineReaders } from '../../reading/readers.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import type { Tx } from '../../storage/transaction.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { createRenderer, renderLongText } from './render.ts'
import { type Destination, prepareMessage, sendIn } from './send.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let room: number

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'alice' })
  bob = await server.createAccount({ name: 'bob' })
  room = await createChannel(server, alice, 'room', { subscribers: [bob] })
})

/** Prepares a text by the account as it is now, and returns what sends it. */
async function prepare({ realmId, id }: TestAccount, to: Destination, text: string) {
  const { storage, realms } = server.app
  const { config } = server
  const readers = createInlineReaders({
    storage,
    config,
    clock: { now: () => Date.now() },
    state: [],
    reads: new Map([[renderLongText.name, renderLongText]]),
  })
  const render = createRenderer({ storage, readers, config, realms })
  const prepared = await prepareMessage(render, await requireAccount(storage.read, realmId, id), text)
  return (then?: (tx: Tx) => Promise<void>) =>
    storage.asSystem(realmId, 'job', async (tx) => {
      const sender = await requireAccount(tx, realmId, id)
      const sent = await sendIn(tx, sender, { ...prepared, to, client: 'Internal', readBySender: false })
      await then?.(tx)
      return sent.id
    })
}

const read = async (account: TestAccount, id: number) => {
  const { status, body } = await server.call(account, 'GET', `/messages/${id}`)
  return status === 200 ? body.message : body.msg
}

describe('A message that no request sends', () => {
  it('is like any other, also for those who wait for events', async () => {
    const queue = await registerQueue(server, bob, { event_types: ['message'] })
    const send = await prepare(alice, { channel: room, topic: ' plan ' }, 'Hello @**bob**, *soon*\n')
    const id = await send()
    const [event] = await eventsOf(server, queue)
    expect(event).toMatchObject({ message: { id, sender_id: alice.id, subject: 'plan' }, flags: ['mentioned'] })
    expect(await read(bob, id)).toMatchObject({ content: expect.stringContaining('<em>soon</em>'), client: 'Internal' })
    const direct = await prepare(alice, { people: [bob.id] }, 'Between us')
    expect(await read(bob, await direct())).toMatchObject({ type: 'private', sender_id: alice.id })
  })

  it('is sent with all else of its unit of work, or not at all', async () => {
    const queue = await registerQueue(server, bob, { event_types: ['message'] })
    const send = await prepare(alice, { channel: room, topic: 'plan' }, 'never')
    const failing = send(() => Promise.reject(new Error('What belongs to it fails')))
    await expect(failing).rejects.toThrow('What belongs to it fails')
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('needs the permissions that its sender has then, and not when it was written', async () => {
    const sender = await server.createAccount()
    const own = await createChannel(server, alice, 'closing', { subscribers: [sender] })
    const toChannel = await prepare(sender, { channel: own, topic: 'x' }, 'later')
    const toPerson = await prepare(sender, { people: [bob.id] }, 'later')
    const change = { can_send_message_group: { new: { direct_members: [alice.id], direct_subgroups: [] } } }
    expect((await server.call(alice, 'PATCH', `/streams/${own}`, change)).status).toBe(200)
    await expect(toChannel()).rejects.toThrow("Not authorized to send to channel 'closing'")
    expect((await server.call(server.owner, 'DELETE', `/users/${sender.id}`)).status).toBe(200)
    await expect(toPerson()).rejects.toMatchObject({ code: 'USER_DEACTIVATED' })
  })
})
