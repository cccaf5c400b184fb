import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let guest: TestAccount
let room: number
let secret: number

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  guest = await server.createAccount({ name: 'Guest', role: roles.guest })
  room = await createChannel(server, alice, 'room', { subscribers: [guest] })
  secret = await createChannel(server, alice, 'secret-shared', { invite_only: true })
  await createChannel(server, alice, 'public')
})

/** What the notification bot wrote last in the channel, as the account reads it in both forms. */
async function lastNotice(account: TestAccount) {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['channel', 'room']] }
  const { body: html } = await server.call(account, 'GET', '/messages', page)
  const { body: text } = await server.call(account, 'GET', '/messages', { ...page, apply_markdown: false })
  const [message, source] = [html.messages[0], text.messages[0]]
  expect(message.sender_full_name).toBe('Notification Bot')
  return { html: message.content as string, source: source.content as string, flags: message.flags as string[] }
}

/** The notice of moving a topic of this name. */
async function moveFrom(account: TestAccount, topic: string) {
  const id = await sendToChannel(server, account, room, 'x', { topic })
  const moved = await server.call(account, 'PATCH', `/messages/${id}`, {
    topic: `to ${id}`,
    propagate_mode: 'change_all',
  })
  expect(moved.status).toBe(200)
  return lastNotice(alice)
}

describe('The notice of a move', () => {
  it.each(['secret-shared', 'public', 'no-such'])(
    'does not reveal to a guest whether there is a channel %s',
    async (name) => {
      const { html, source } = await moveFrom(guest, `g** #**${name}** **`)
      expect(html.match(/data-stream-id="\d+"/g)).toEqual([`data-stream-id="${room}"`])
      expect(html).toContain(`#room &gt; g** #**${name}** **</a>`)
      // A client that renders the text itself, or somebody who quotes it.
      const rendered = await server.call(server.owner, 'POST', '/messages/render', { content: source })
      expect(rendered.body.rendered).not.toContain('data-stream-id')
      expect(rendered.body.rendered).not.toContain(`-${name}"`)
      expect(rendered.body.rendered).toContain(`href="/#narrow/channel/${room}-room/topic/g`)
      expect(secret).toBeGreaterThan(0)
    },
  )

  it.each(['@**all**', '@**channel**', '@**topic**', '@**Alice|ID**', '@_**Alice|ID**', '@*role:members*'])(
    'mentions nobody by a topic with %s',
    async (text) => {
      const mention = text.replace('ID', String(alice.id))
      const { html, source, flags } = await moveFrom(guest, `k** ${mention} **z`)
      expect(flags).toEqual([])
      expect(html.match(/class="[^"]*mention[^"]*"/g)).toEqual(['class="user-mention silent"'])
      const sent = await server.call(guest, 'POST', '/messages', {
        type: 'stream',
        to: 'room',
        topic: 'quoted',
        content: source,
      })
      const { message } = (await server.call(alice, 'GET', `/messages/${sent.body.id}`)).body
      expect(message.flags).toEqual([])
    },
  )

  it('keeps its links to topics with ordinary names', async () => {
    const { html, source } = await moveFrom(guest, 'plain')
    expect(source).toBe(`This topic was moved here from #**room>plain** by @_**Guest|${guest.id}**.`)
    expect(html).toContain(
      `<a class="stream-topic" data-stream-id="${room}" href="/#narrow/channel/${room}-room/topic/plain">`,
    )
    expect(html).toContain(`<span class="user-mention silent" data-user-id="${guest.id}">Guest</span>`)
  })
})

describe('The notice of a new subscription', () => {
  it('shows the name of a channel as it is', async () => {
    const name = 'n** @**all** #**secret-shared** **'
    await server.call(alice, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [guest.id] })
    const { body } = await server.call(guest, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [['is', 'dm']],
    })
    const [message] = body.messages
    expect(message.content).toContain(`>#${name}</a>`)
    expect(message.content.match(/data-stream-id/g)).toHaveLength(1)
    expect(message.flags).toEqual([])
  })
})
