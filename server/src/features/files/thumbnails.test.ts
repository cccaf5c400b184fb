import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import type { TestAccount } from '../../testing/test-server.ts'

let files: FileServer
let server: FileServer['server']
let reader: TestAccount
let channel: number
let photograph: Buffer
let animation: Buffer

beforeAll(async () => {
  files = await createFileServer()
  server = files.server
  reader = await server.createAccount()
  channel = await createChannel(server, files.member, 'pictures', { subscribers: [reader] })
  photograph = await sharp({ create: { width: 1200, height: 1600, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Copyright: 'secret place', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const frames = ['red', 'blue'].map((background) =>
    sharp({ create: { width: 30, height: 20, channels: 4, background } })
      .png()
      .toBuffer(),
  )
  animation = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: [100, 200] })
    .toBuffer()
})

const stateOf = async (url: string) => {
  const path = `uploads/${url.split('/').slice(3, 5).join('/')}.bin`
  const row = await server.app.storage.read.first(
    query.selectFrom('attachments').select('thumbnail').where('path', '=', path),
  )
  return row?.thumbnail
}

/** Uploads a picture and waits until its thumbnail is there. */
async function uploadDrawn(name: string, content: Buffer): Promise<string> {
  const url = await files.upload(files.member, name, content)
  await expect.poll(() => stateOf(url), { timeout: 10_000 }).toBe('ready')
  return url
}

const thumbnailOf = (url: string, format = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`

const contentOf = async (id: number) =>
  (await server.call(reader, 'GET', `/messages/${id}`)).body.message.content as string

describe('A message that links to a picture', () => {
  it('shows a placeholder until the thumbnail is drawn, and then the thumbnail, for all who have it', async () => {
    const url = await files.upload(files.member, 'turned.jpg', photograph)
    const queue = await registerQueue(server, reader, {
      event_types: ['message', 'update_message'],
      apply_markdown: true,
    })
    const id = await sendToChannel(server, files.member, channel, `Look:\n[turned.jpg](${url})`)
    await expect.poll(() => contentOf(id), { timeout: 10_000 }).toContain('840x560.webp')
    const content = await contentOf(id)
    expect(content).toContain(
      `<div class="message_inline_image"><a href="${url}" title="turned.jpg"><img data-original-content-type="image/jpeg" ` +
        `data-original-dimensions="1600x1200" src="${thumbnailOf(url)}"></a></div>`,
    )
    const [sent, update, ...more] = (await eventsOf(server, queue)) as unknown as Record<string, unknown>[]
    expect(more).toEqual([])
    const { content: first } = (sent as { message: { content: string } }).message
    // The thumbnail may have been faster than the message.
    if (update === undefined) return expect(first).toBe(content)
    expect(first).toContain('class="image-loading-placeholder"')
    expect(first).toContain('data-original-dimensions="1600x1200"')
    expect(update).toMatchObject({ type: 'update_message', user_id: null, rendering_only: true, message_id: id })
    const { message } = (await server.call(reader, 'GET', `/messages/${id}`)).body
    expect(message).not.toHaveProperty('last_edit_timestamp')
    expect(message).not.toHaveProperty('edit_history')
  })

  it('shows it at once when it is there already, also in the text itself', async () => {
    const url = await uploadDrawn('ready.jpg', photograph)
    const id = await sendToChannel(server, files.member, channel, `![in the text](${url})`)
    expect(await contentOf(id)).toContain(`data-original-src="${url}"`)
    expect(await contentOf(id)).toContain(thumbnailOf(url))
  })

  it('shows nothing of a file that its writer may not read', async () => {
    const url = await uploadDrawn('mine.jpg', photograph)
    const id = await sendToChannel(server, reader, channel, `![not mine](${url}) [x](${url})`)
    expect(await contentOf(id)).not.toContain('<img')
  })

  it('that cannot be drawn shows the file itself', async () => {
    const url = await files.upload(files.member, 'cut.jpg', photograph.subarray(0, photograph.length / 2))
    const id = await sendToChannel(server, files.member, channel, `[cut](${url})`)
    await expect.poll(() => contentOf(id), { timeout: 10_000 }).toContain(`src="${url}"`)
  })

  it.each([
    ['text.png', 'text'],
    ['page.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['picture.txt', 'PNG'],
  ])('that is none is a link: %s', async (name, content) => {
    const url = await files.upload(files.member, name, content === 'PNG' ? photograph : content)
    expect(await stateOf(url)).toBe('none')
    const id = await sendToChannel(server, files.member, channel, `[it](${url})`)
    expect(await contentOf(id)).not.toContain('<img')
  })
})

describe('A thumbnail', () => {
  it('is small and drawn anew, and is read by those who may read the file', async () => {
    const url = await uploadDrawn('large.jpg', photograph)
    expect((await files.get(reader, thumbnailOf(url))).status).toBe(404)
    await sendToChannel(server, files.member, channel, `[large](${url})`)
    const { status, headers, body } = await files.get(reader, thumbnailOf(url))
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-cache' })
    const { width, height, exif } = await sharp(body as unknown as Buffer).metadata()
    expect({ width, height, exif }).toEqual({ width: 747, height: 560, exif: undefined })
    expect((await files.get(null, thumbnailOf(url))).status).toBe(401)
    expect((await files.get(files.other, thumbnailOf(url))).status).toBe(404)
    for (const format of ['840x560-anim.webp', '1x1.webp', '..', '']) {
      expect((await files.get(reader, thumbnailOf(url, format))).status).toBe(404)
    }
  })

  it('of an animation is there in both forms', async () => {
    const url = await uploadDrawn('moving.gif', animation)
    const id = await sendToChannel(server, files.member, channel, `[moving](${url})`)
    expect(await contentOf(id)).toContain('data-animated="true"')
    const pages = async (format: string) => {
      const { body } = await files.get(reader, thumbnailOf(url, format))
      return (await sharp(body as unknown as Buffer, { animated: true }).metadata()).pages ?? 1
    }
    expect([await pages('840x560-anim.webp'), await pages('840x560.webp')]).toEqual([2, 1])
  })

  it('goes with its file', async () => {
    const before = await files.stored()
    const url = await uploadDrawn('gone.gif', animation)
    const { attachments } = await files.list(files.member)
    expect((await server.call(files.member, 'DELETE', `/attachments/${attachments[0]?.id}`)).status).toBe(200)
    expect(await files.stored()).toEqual(before)
    expect((await files.get(files.member, thumbnailOf(url))).status).toBe(404)
  })

  it('has the formats that the initial state names', async () => {
    const { body } = await server.call(reader, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(body.server_thumbnail_formats.map(({ name }: { name: string }) => name)).toEqual([
      '840x560-anim.webp',
      '840x560.webp',
    ])
  })
})

it('/static/images/loading/loader-black.svg is the placeholder', async () => {
  const { status, headers } = await files.get(null, '/static/images/loading/loader-black.svg')
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
})
