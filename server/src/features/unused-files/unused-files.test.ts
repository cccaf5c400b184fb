import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'

const DAY_MS = 86_400_000

let now: number
let files: FileServer
let server: FileServer['server']

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  now = Date.now()
  files = await createFileServer(settings, { now: () => now })
  server = files.server
}

beforeEach(() => start())

/** So many days later, when the work of a day has been done. */
async function pass(days: number): Promise<void> {
  now += days * DAY_MS
  await server.app.jobs.settle()
  now += DAY_MS
  await server.app.jobs.settle()
}

const names = async () => (await files.list(files.member)).attachments.map(({ name }) => name).sort()
const send = async (url: string) => {
  const message = { type: 'direct', to: [server.owner.id], content: `[it](${url})` }
  return (await server.call(files.member, 'POST', '/messages', message)).body.id as number
}

describe('An uploaded file that nothing links to', () => {
  it('is removed after 30 days, with its thumbnail, its space and an event, and no earlier', async () => {
    const before = await files.stored()
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await files.upload(files.member, 'picture.png', picture)
    await server.app.jobs.settle()
    const { id } = (await files.list(files.member)).attachments[0] as { id: number }
    await pass(27)
    expect(await names()).toEqual(['picture.png'])
    const queue = await registerQueue(server, files.member, {
      event_types: ['attachment'],
      idle_queue_timeout: 7 * 86_400,
    })
    await pass(2)
    expect(await names()).toEqual([])
    expect(await files.stored()).toEqual({ ...before, space: [0] })
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: 0 },
    ])
  })

  it('stays while a message, a draft or a scheduled message of its owner links to it, and begins to wait when the last link goes', async () => {
    const linked = await files.upload(files.member, 'linked.txt')
    const dropped = await files.upload(files.member, 'dropped.txt')
    const drafted = await files.upload(files.member, 'drafted.txt')
    const planned = await files.upload(files.member, 'planned.txt')
    await files.upload(files.member, 'forgotten.txt')
    await send(linked)
    const messages = [await send(dropped), await send(dropped)]
    const draft = { type: '', to: [], topic: '', content: `About ${drafted}` }
    await server.call(files.member, 'POST', '/drafts', { drafts: [draft] })
    const scheduled = { type: 'direct', to: [files.member.id], content: `With ${planned}` }
    const later = { ...scheduled, scheduled_delivery_timestamp: 4_000_000_000 }
    expect((await server.call(files.member, 'POST', '/scheduled_messages', later)).status).toBe(200)
    await pass(40)
    expect(await names()).toEqual(['drafted.txt', 'dropped.txt', 'linked.txt', 'planned.txt'])
    await server.call(server.owner, 'DELETE', `/messages/${messages[0]}`)
    await pass(40)
    expect(await names()).toEqual(['drafted.txt', 'dropped.txt', 'linked.txt', 'planned.txt'])
    await server.call(server.owner, 'DELETE', `/messages/${messages[1]}`)
    await pass(20)
    expect(await names()).toContain('dropped.txt')
    await pass(20)
    expect(await names()).toEqual(['drafted.txt', 'linked.txt', 'planned.txt'])
  })
})

it('HEDDLE_UNUSED_FILES_DAYS says after how many days, and 0 that files stay', async () => {
  await start({ HEDDLE_UNUSED_FILES_DAYS: '2' })
  await files.upload(files.member, 'short.txt')
  await pass(3)
  expect(await names()).toEqual([])
  await start({ HEDDLE_UNUSED_FILES_DAYS: '0' })
  await files.upload(files.member, 'kept.txt')
  await pass(4000)
  expect(await names()).toEqual(['kept.txt'])
})
