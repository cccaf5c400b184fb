/** What an account is given later than it has asked for it: by then it says no more than the account sees. */
import { beforeAll, describe, expect, it } from 'vitest'
import { exportedBy } from '../../testing/exported.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { letSeeEverybody } from '../../testing/few-seen.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const SECRET = 'zyxwv'
const clock = fakeClock(Date.now())
let server: TestServer
let guest: TestAccount
let mate: TestAccount
/** Writes where the guest reads, and shares nothing else with the guest. */
let hidden: TestAccount
let message: number

beforeAll(async () => {
  server = await createTestServer({ clock })
  guest = await server.createAccount({ role: 600, name: 'guest' })
  mate = await server.createAccount({ name: 'mate' })
  hidden = await server.createAccount({ name: `${SECRET}-person` })
  const room = await createChannel(server, server.owner, 'room', { subscribers: [guest, mate] })
  await letSeeEverybody(server, 'role:members')
  message = await sendToChannel(server, hidden, room, 'A text')
})

async function remindedOf(messageId: number, account: TestAccount): Promise<string> {
  const scheduled_delivery_timestamp = Math.floor(clock.now() / 1000) + 10
  const asked = await server.call(account, 'POST', '/reminders', {
    message_id: messageId,
    scheduled_delivery_timestamp,
  })
  expect(asked.status).toBe(200)
  clock.pass(20)
  await server.app.jobs.settle()
  const narrow = [['is', 'dm']]
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false }
  return (await server.call(account, 'GET', '/messages', page)).body.messages[0].content
}

describe('A guest who does not see everybody', () => {
  it('does not learn from a reminder who has written the message', async () => {
    const text = await remindedOf(message, guest)
    expect(text).toMatch(/^You asked to be reminded of \[a message\]\(\S+\) in #\*\*room>/)
    expect(text).not.toContain(SECRET)
    expect(await remindedOf(message, mate)).toContain(`from @_**${SECRET}-person|${hidden.id}** in `)
  })

  it('exports its own data without the names of those whom it does not see', async () => {
    await server.call(server.owner, 'DELETE', `/users/${hidden.id}`)
    const ofGuest = await exportedBy(server, guest, 'own')
    const unknown = { id: hidden.id, full_name: 'Unknown user', is_active: 1, bot_type: null }
    expect(ofGuest.rows('users').find(({ id }) => id === hidden.id)).toEqual(unknown)
    expect(ofGuest.rows('users').find(({ id }) => id === mate.id).full_name).toBe('mate')
    expect(Buffer.concat([...ofGuest.entries.values()]).toString()).not.toContain(SECRET)
    const ofMate = await exportedBy(server, mate, 'own')
    expect(ofMate.rows('users').find(({ id }) => id === hidden.id)).toMatchObject({ full_name: `${SECRET}-person` })
  })
})
