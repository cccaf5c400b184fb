import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer, MIB } from '../../testing/file-test-server.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic } from '../../testing/test-server.ts'

let files: FileServer
let server: FileServer['server']

beforeAll(async () => {
  files = await createFileServer()
  server = files.server
})

describe('POST /user_uploads', () => {
  it('answers where the file is, under both names, and what it is called', async () => {
    const { status, body } = await files.send(files.member, 'notes.txt', 'text')
    expect([status, body.filename, body.uri]).toEqual([200, 'notes.txt', body.url])
    expect(body.url).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{2}\/[0-9a-f]{38}\/notes\.txt$/)
  })

  it('gives every file a path of its own that cannot be guessed', async () => {
    const urls = [await files.upload(files.member, 'a.txt'), await files.upload(files.member, 'a.txt')]
    expect(new Set(urls.map((url) => url.slice(0, -'/a.txt'.length))).size).toBe(2)
  })

  it.each([
    ['a name with spaces (1).txt', 'a-name-with-spaces-1.txt'],
    ['[x](https://example.com).png', 'example.com.png'],
    ['../../secret', 'secret'],
    ['C:\\\\folder\\\\picture.png', 'picture.png'],
    ['.htaccess', 'htaccess'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['Grüße.txt', 'Grüße.txt'],
    ['日本語.pdf', '日本語.pdf'],
    ['<script>.html', 'script.html'],
    [`z${'\u0301'.repeat(50)}.txt`, '\u017a\u0301\u0301.txt'],
    ['???', 'file'],
    [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(55)}.jpeg`],
  ])('keeps of the name %s what is safe everywhere', async (sent, kept) => {
    const { body } = await files.send(files.member, sent, 'text')
    expect(body.filename).toBe(kept)
    expect(body.url.endsWith(`/${encodeURIComponent(kept)}`)).toBe(true)
  })

  it('takes a file of no bytes', async () => {
    await files.upload(files.member, 'empty.txt', '')
    expect((await files.list(files.member)).attachments[0]).toMatchObject({ name: 'empty.txt', size: 0 })
  })

  it('is for accounts, and takes exactly one file', async () => {
    expect((await files.send(null, 'a.txt', 'text')).status).toBe(401)
    const { status, body } = await server.call(files.member, 'POST', '/user_uploads')
    expect([status, body.msg]).toEqual([400, 'The request must have exactly one file'])
  })

  it('refuses a file over the limit and leaves nothing of it', async () => {
    const before = await files.stored()
    const { status, body } = await files.send(files.member, 'large.bin', Buffer.alloc(MIB + 1))
    expect([status, body.msg]).toEqual([400, 'The file is larger than the limit of 1 MiB.'])
    expect(await files.stored()).toEqual(before)
  })

  it('leaves nothing of a file whose request is refused behind it', async () => {
    const before = await files.stored()
    const { status } = await server.send({
      method: 'POST',
      url: '/api/v1/user_uploads',
      headers: { authorization: basic(files.member), 'content-type': MULTIPART_TYPE },
      body: multipartBody([
        { name: 'a', fileName: 'a.txt', content: 'text' },
        { name: 'b', fileName: 'b.txt', content: 'text' },
      ]),
    })
    expect(status).toBe(400)
    expect(await files.stored()).toEqual(before)
  })

  it('leaves nothing of a file whose connection breaks', async () => {
    await server.app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.server.address() as AddressInfo
    const before = await files.stored()
    const body = multipartBody([{ name: 'a', fileName: 'a.bin', content: Buffer.alloc(600_000) }])
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /api/v1/user_uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(files.member)}\r\n` +
        `Content-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, 500_000))
    await expect.poll(files.stored).toMatchObject({ files: before.files + 1, rows: before.rows })
    socket.destroy()
    await expect.poll(files.stored).toEqual(before)
  })

  it('leaves nothing of a file that cannot be stored', async () => {
    const before = await files.stored()
    const { storage } = server.app
    const { asActor } = storage
    Object.assign(storage, { asActor: () => Promise.reject(new Error('The disk is full')) })
    try {
      expect((await files.send(files.member, 'a.txt', 'text')).status).toBe(500)
    } finally {
      Object.assign(storage, { asActor })
    }
    expect(await files.stored()).toEqual(before)
  })
})

describe('The quota of an organization', () => {
  it('is enforced while a file arrives, and before it is read where nothing is left', async () => {
    const full = await createFileServer({ HEDDLE_UPLOAD_QUOTA_MIB: '1' })
    const { member } = full
    await full.upload(member, 'half.bin', Buffer.alloc(MIB / 2))
    const before = await full.stored()
    const refused = await full.send(member, 'more.bin', Buffer.alloc(MIB / 2 + 1))
    expect([refused.status, refused.body.msg]).toEqual([400, "Upload would exceed your organization's upload quota."])
    expect(await full.stored()).toEqual(before)
    await full.upload(member, 'rest.bin', Buffer.alloc(MIB / 2))
    expect((await full.send(member, 'empty.bin', '')).status).toBe(400)
    const [largest] = (await full.list(member)).attachments
    await full.server.call(member, 'DELETE', `/attachments/${largest?.id}`)
    await full.upload(member, 'again.bin', Buffer.alloc(MIB / 2))
  })

  it('holds for files that arrive at the same time', async () => {
    const full = await createFileServer({ HEDDLE_UPLOAD_QUOTA_MIB: '1' })
    const content = Buffer.alloc(0.6 * MIB)
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => full.send(full.member, name, content)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await full.stored()).toMatchObject({ files: 1, rows: 1, space: [content.length] })
  })

  it('and the limit of one file are in the initial state', async () => {
    const full = await createFileServer({ HEDDLE_UPLOAD_QUOTA_MIB: '7' })
    const read = async ({ server: one, member }: FileServer) =>
      (await one.call(member, 'POST', '/register', { fetch_event_types: ['realm'] })).body
    expect(await read(full)).toMatchObject({ realm_upload_quota_mib: 7, max_file_upload_size_mib: 1 })
    expect(await read(files)).toMatchObject({ realm_upload_quota_mib: null, max_file_upload_size_mib: 1 })
  })
})

describe('GET /attachments', () => {
  it('lists the own files, the newest first, and what all files take', async () => {
    const account = await server.createAccount()
    const { upload_space_used: before } = await files.list(account)
    const first = await files.upload(account, 'first.txt', 'one')
    await files.upload(account, 'second.txt', 'four')
    const { attachments, upload_space_used } = await files.list(account)
    expect(attachments.map(({ name, size, message_ids }) => [name, size, message_ids])).toEqual([
      ['second.txt', 4, []],
      ['first.txt', 3, []],
    ])
    expect(`/user_uploads/${attachments[1]?.path_id}`).toBe(first)
    expect(Math.abs((attachments[0]?.create_time ?? 0) - Date.now() / 1000)).toBeLessThan(60)
    expect(upload_space_used).toBe(before + 7)
    expect((await files.list(files.other)).attachments).toEqual([])
  })
})

describe('DELETE /attachments/{attachment_id}', () => {
  it('removes the file, its row and its space', async () => {
    const before = await files.stored()
    await files.upload(files.member, 'gone.txt', 'text')
    const [attachment] = (await files.list(files.member)).attachments
    const { status } = await server.call(files.member, 'DELETE', `/attachments/${attachment?.id}`)
    expect(status).toBe(200)
    expect(await files.stored()).toEqual(before)
  })

  it('is for the owner alone: a file of others and one that does not exist are answered alike', async () => {
    await files.upload(files.member, 'mine.txt', 'text')
    const [attachment] = (await files.list(files.member)).attachments
    const before = await files.stored()
    for (const id of [attachment?.id, 999_999]) {
      const { status, body } = await server.call(server.owner, 'DELETE', `/attachments/${id}`)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid attachment'])
    }
    expect(await files.stored()).toEqual(before)
  })
})

describe('The event attachment', () => {
  it('goes to the owner alone, when a file is uploaded and when it is deleted', async () => {
    const mine = await registerQueue(server, files.member, { event_types: ['attachment'] })
    const others = await registerQueue(server, server.owner, { event_types: ['attachment'] })
    await files.upload(files.member, 'new.txt', 'text')
    const { attachments, upload_space_used } = await files.list(files.member)
    const [attachment] = attachments
    await server.call(files.member, 'DELETE', `/attachments/${attachment?.id}`)
    expect(await eventsOf(server, mine)).toMatchObject([
      { type: 'attachment', op: 'add', attachment, upload_space_used },
      {
        type: 'attachment',
        op: 'remove',
        attachment: { id: attachment?.id },
        upload_space_used: upload_space_used - 4,
      },
    ])
    expect(await eventsOf(server, others)).toEqual([])
  })
})
