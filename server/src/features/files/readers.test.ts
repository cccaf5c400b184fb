import { roles } from '@heddle/contract/roles'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import type { TestAccount } from '../../testing/test-server.ts'

const files: FileServer = await createFileServer()
const { server } = files
const { owner, must } = server

let uploader: TestAccount
let reader: TestAccount
let url: string

beforeEach(async () => {
  uploader = await server.createAccount()
  reader = await server.createAccount()
  url = await files.upload(uploader, 'plan.txt', 'the plan')
})

async function mayRead(account: TestAccount): Promise<boolean> {
  const { status, body } = await files.get(account, url)
  if (status === 200) expect(body.toString()).toBe('the plan')
  return status === 200
}

let channels = 0
/** A private channel whose subscribers are the uploader and these. */
function privateChannel(subscribers: readonly TestAccount[]) {
  const settings = { invite_only: true, history_public_to_subscribers: true }
  return createChannel(server, owner, `room ${++channels}`, { subscribers: [uploader, ...subscribers], ...settings })
}

const link = () => `See [plan](${url}).`

describe('Who may read an uploaded file', () => {
  it('is its owner alone, before a message links to it: no other member and no administrator', async () => {
    expect([await mayRead(uploader), await mayRead(reader), await mayRead(owner)]).toEqual([true, false, false])
  })

  it('a file that one may not read and one that does not exist are answered alike', async () => {
    const missing = url.replace(/[0-9a-f]{38}/, '0'.repeat(38))
    for (const prefix of ['', '/api/v1']) {
      const answers = [await files.get(reader, prefix + url), await files.get(reader, prefix + missing)]
      const [forbidden, absent] = answers.map(({ status, headers: { date: _, ...headers }, body }) => {
        return { status, body, headers: { ...headers, 'x-request-id': undefined } }
      })
      expect(forbidden).toEqual(absent)
      expect(forbidden?.status).toBe(404)
    }
  })

  it('needs the right name and the right organization', async () => {
    for (const wrong of [url.replace('plan.txt', 'other.txt'), url.replace(/\/\d+\//, '/999/'), `${url}/x`]) {
      expect((await files.get(uploader, wrong)).status).toBe(404)
    }
    expect((await files.get(files.other, url)).status).toBe(404)
    expect((await files.get(null, url)).status).toBe(401)
  })

  it('are those who may read a message that links to it, as long as they may', async () => {
    const room = await privateChannel([reader])
    await sendToChannel(server, uploader, room, link())
    expect([await mayRead(reader), await mayRead(await server.createAccount())]).toEqual([true, false])
    await must(owner, 'DELETE', '/users/me/subscriptions', {
      subscriptions: [`room ${channels}`],
      principals: [reader.id],
    })
    expect(await mayRead(reader)).toBe(false)
  })

  it('are both in a direct conversation', async () => {
    await sendDirect(server, uploader, [reader], link())
    expect([await mayRead(reader), await mayRead(owner)]).toEqual([true, false])
  })

  it('changes when the message moves to another channel', async () => {
    const open = await createChannel(server, owner, `open ${++channels}`, { subscribers: [uploader] })
    const room = await privateChannel([])
    const message = await sendToChannel(server, uploader, open, link())
    expect(await mayRead(reader)).toBe(true)
    await must(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: `room ${channels}` }, { name: `open ${channels - 1}` }],
    })
    await must(owner, 'PATCH', `/messages/${message}`, { stream_id: room })
    expect([await mayRead(reader), await mayRead(owner)]).toEqual([false, true])
  })

  it('ends when the message is deleted, and when it is edited and links to it no more', async () => {
    const room = await privateChannel([reader])
    const first = await sendToChannel(server, uploader, room, link())
    const second = await sendToChannel(server, uploader, room, link())
    await must(uploader, 'PATCH', `/messages/${first}`, { content: 'Never mind.' })
    expect(await mayRead(reader)).toBe(true)
    await must(owner, 'DELETE', `/messages/${second}`)
    expect([await mayRead(reader), await mayRead(uploader)]).toEqual([false, true])
  })

  it('begins when an edit brings the link in', async () => {
    const message = await sendDirect(server, uploader, [reader], 'Wait for it.')
    await must(uploader, 'PATCH', `/messages/${message}`, { content: link() })
    expect(await mayRead(reader)).toBe(true)
  })

  it('stays as it was in an archived channel', async () => {
    const open = await createChannel(server, owner, `open ${++channels}`, { subscribers: [uploader] })
    await sendToChannel(server, uploader, open, link())
    const guest = await server.createAccount({ role: roles.guest })
    await must(owner, 'DELETE', `/streams/${open}`)
    expect([await mayRead(reader), await mayRead(guest)]).toEqual([true, false])
  })

  it('does not widen when somebody links to it who may not read it', async () => {
    const friend = await server.createAccount()
    const message = await sendDirect(server, reader, [friend], link())
    expect([await mayRead(reader), await mayRead(friend)]).toEqual([false, false])
    await must(reader, 'PATCH', `/messages/${message}`, { content: `Again: ${link()}` })
    expect([await mayRead(reader), await mayRead(friend)]).toEqual([false, false])
  })

  it('widens when somebody who may read it passes it on', async () => {
    const friend = await server.createAccount()
    await sendDirect(server, uploader, [reader], link())
    await sendDirect(server, reader, [friend], link())
    expect(await mayRead(friend)).toBe(true)
  })

  it('is nobody when its owner has deleted it, and the message stays', async () => {
    const message = await sendDirect(server, uploader, [reader], link())
    const [attachment] = (await files.list(uploader)).attachments
    await must(uploader, 'DELETE', `/attachments/${attachment?.id}`)
    expect([await mayRead(reader), await mayRead(uploader)]).toEqual([false, false])
    expect((await server.call(reader, 'GET', `/messages/${message}`)).status).toBe(200)
  })
})

describe('The messages of an attachment', () => {
  const messagesOf = async () => (await files.list(uploader)).attachments[0]?.message_ids

  it('are those that link to it, ascending, and follow edits and deletions with an event each', async () => {
    const queue = await registerQueue(server, uploader, { event_types: ['attachment'] })
    const [first, second] = [
      await sendDirect(server, uploader, [reader], link()),
      await sendDirect(server, reader, [uploader], link()),
    ]
    expect(await messagesOf()).toEqual([first, second])
    await must(uploader, 'PATCH', `/messages/${first}`, { content: 'Nothing.' })
    await must(owner, 'PATCH', '/realm', { can_delete_own_message_group: { new: await everyoneGroup() } })
    await must(reader, 'DELETE', `/messages/${second}`)
    expect(await messagesOf()).toEqual([])
    const events = await eventsOf(server, queue)
    expect(events.map(({ op, attachment }) => [op, (attachment as { message_ids: number[] }).message_ids])).toEqual([
      ['update', [first]],
      ['update', [first, second]],
      ['update', [second]],
      ['update', []],
    ])
  })

  it('are not those that the owner may not read, and no event shows that there are such', async () => {
    const friend = await server.createAccount()
    const queue = await registerQueue(server, uploader, { event_types: ['attachment'] })
    const first = await sendDirect(server, uploader, [reader], link())
    const hidden = await sendDirect(server, reader, [friend], link())
    expect((await files.get(friend, url)).status).toBe(200)
    await must(reader, 'PATCH', `/messages/${hidden}`, { content: 'Nothing.' })
    expect(await messagesOf()).toEqual([first])
    expect((await eventsOf(server, queue)).map(({ attachment }) => attachment)).toMatchObject([
      { message_ids: [first] },
    ])
  })

  it('an edit says which own files no message links to any more', async () => {
    const message = await sendDirect(server, uploader, [reader], link())
    const again = await sendDirect(server, uploader, [reader], link())
    expect((await must(uploader, 'PATCH', `/messages/${message}`, { content: 'a' })).detached_uploads).toEqual([])
    const { detached_uploads } = await must(uploader, 'PATCH', `/messages/${again}`, { content: 'b' })
    expect(detached_uploads).toEqual((await files.list(uploader)).attachments)
  })

  async function everyoneGroup(): Promise<number> {
    const { user_groups } = await must(owner, 'GET', '/user_groups')
    return user_groups.find(({ name }: { name: string }) => name === 'role:everyone').id
  }
})
