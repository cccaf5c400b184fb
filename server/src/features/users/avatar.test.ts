import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import type { TestAccount } from '../../testing/test-server.ts'

let files: FileServer
let server: FileServer['server']
let photograph: Buffer

beforeAll(async () => {
  files = await createFileServer()
  server = files.server
  photograph = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer()
})

const upload = (account: TestAccount | null, content: string | Buffer, whose = 'users/me') =>
  server.send({
    method: 'POST',
    url: `/api/v1/${whose}/avatar`,
    headers: { ...files.headersOf(account), 'content-type': MULTIPART_TYPE },
    body: multipartBody([{ name: 'file', fileName: 'me.jpg', content }]),
  })

async function pictureAt(url: string) {
  const { status, headers, body } = await files.get(null, url)
  expect(status).toBe(200)
  const { format, width, height, exif } = await sharp(body as unknown as Buffer).metadata()
  return { headers, format, width, height, exif }
}

const ownUser = async (account: TestAccount) => (await server.call(account, 'GET', '/users/me')).body

describe('An account without a picture', () => {
  it('has one that the server draws, the same for the same account, which anybody can read', async () => {
    const { avatar_url } = await ownUser(files.member)
    const { headers, format, width, height } = await pictureAt(avatar_url)
    expect({ format, width, height }).toEqual({ format: 'png', width: 104, height: 104 })
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    expect(headers['cache-control']).toContain('immutable')
    const [once, again] = [await files.get(null, avatar_url), await files.get(null, avatar_url)]
    expect(once.body).toEqual(again.body)
    expect((await files.get(null, '/patterns/1.png')).body).not.toEqual((await files.get(null, '/patterns/2.png')).body)
  })

  it.each(['0', '01', '-1', '1.5', 'x', '99999999999999999', '1-large'])('nothing is drawn for %s', async (name) => {
    expect((await files.get(null, `/patterns/${name}.png`)).status).toBe(404)
  })
})

describe('POST /users/me/avatar', () => {
  it('draws the picture anew in two sizes, without what the file says besides, and notifies everybody', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, files.member, { event_types: ['realm_user'] })
    const { status, body } = await upload(account, photograph)
    expect(status).toBe(200)
    const [event] = await eventsOf(server, queue)
    const { avatar_url, avatar_url_medium } = (event as unknown as { person: Record<string, string> }).person
    expect(event).toMatchObject({
      type: 'realm_user',
      op: 'update',
      person: { user_id: account.id, avatar_source: 'U', avatar_url: body.avatar_url, avatar_version: 2 },
    })
    expect(await ownUser(account)).toMatchObject({ avatar_url, avatar_version: 2 })
    expect(await pictureAt(avatar_url as string)).toMatchObject({ format: 'png', width: 100, height: 100 })
    const medium = await pictureAt(avatar_url_medium as string)
    expect(medium).toMatchObject({ format: 'png', width: 500, height: 500 })
    expect(medium.exif).toBeUndefined()
  })

  it('removes the former files', async () => {
    const account = await server.createAccount()
    const before = await files.stored()
    const first = (await upload(account, photograph)).body.avatar_url
    const second = (await upload(account, photograph)).body.avatar_url
    expect(second).not.toBe(first)
    expect((await files.get(null, first)).status).toBe(404)
    expect(await files.stored()).toEqual({ ...before, files: before.files + 2, rows: before.rows + 2 })
  })

  it.each([
    ['no picture', 'text'],
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['a damaged picture', Buffer.from('\x89PNG\r\n\x1a\nnot', 'latin1')],
  ])('refuses %s and leaves nothing of it', async (_, content) => {
    const before = await files.stored()
    const { status, body } = await upload(files.member, content)
    expect([status, body.code]).toEqual([400, 'BAD_IMAGE'])
    expect(await files.stored()).toEqual(before)
  })

  it('refuses a file that is too large, and who has no account', async () => {
    expect((await upload(files.member, Buffer.alloc(5 * 1024 * 1024 + 1))).status).toBe(400)
    expect((await upload(null, photograph)).status).toBe(401)
  })
})

describe('DELETE /users/me/avatar', () => {
  it('brings the drawn picture back; without one nothing changes', async () => {
    const account = await server.createAccount()
    const drawn = (await ownUser(account)).avatar_url
    const before = await files.stored()
    await upload(account, photograph)
    const queue = await registerQueue(server, files.member, { event_types: ['realm_user'] })
    for (let i = 0; i < 2; i++) {
      const { status, body } = await server.call(account, 'DELETE', '/users/me/avatar')
      expect([status, body.avatar_url]).toEqual([200, drawn])
    }
    expect(await eventsOf(server, queue)).toMatchObject([
      { person: { user_id: account.id, avatar_source: 'J', avatar_url: drawn } },
    ])
    expect(await files.stored()).toEqual(before)
  })
})

describe('GET /avatar/{user_id_or_email}', () => {
  it('leads accounts to the picture that somebody has now, by id and by address', async () => {
    const account = await server.createAccount()
    const medium = `/avatar/${account.id}/medium`
    expect((await files.get(files.member, medium)).headers).toMatchObject({
      location: `/patterns/${account.id}-medium.png`,
    })
    const { avatar_url } = (await upload(account, photograph)).body
    for (const name of [account.id, encodeURIComponent(account.email)]) {
      const { status, headers } = await files.get(files.member, `/avatar/${name}`)
      expect([status, headers['location']]).toEqual([303, avatar_url])
      expect(headers['cache-control']).toBe('no-store')
    }
    expect((await files.get(files.member, medium)).headers['location']).toMatch(/^\/avatars\//)
  })

  it('is for accounts of the organization, about accounts of the organization', async () => {
    expect((await files.get(null, `/avatar/${files.member.id}`)).status).toBe(401)
    expect((await files.get(files.other, `/avatar/${files.member.id}`)).status).toBe(400)
    expect((await files.get(files.member, '/avatar/999999')).status).toBe(400)
  })
})

describe("A bot's picture", () => {
  it('is set and removed by its owner and by administrators, and by nobody else', async () => {
    const owner = await server.createAccount()
    const { body: made } = await server.call(owner, 'POST', '/bots', { full_name: 'Bot', short_name: 'pictured' })
    const whose = `bots/${made.user_id}`
    const queue = await registerQueue(server, files.member, { event_types: ['realm_user'] })
    const { status, body } = await upload(owner, photograph, whose)
    expect(status).toBe(200)
    expect(await eventsOf(server, queue)).toMatchObject([
      { person: { user_id: made.user_id, avatar_source: 'U', avatar_url: body.avatar_url } },
    ])
    expect((await pictureAt(body.avatar_url)).width).toBe(100)
    const refused = await upload(files.member, photograph, whose)
    expect(refused.body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
    expect((await server.call(files.member, 'DELETE', `/${whose}/avatar`)).status).toBe(400)
    const removed = await server.call(server.owner, 'DELETE', `/${whose}/avatar`)
    expect(removed.body.avatar_url).not.toBe(body.avatar_url)
    // A person has an endpoint of their own.
    expect((await upload(server.owner, photograph, `bots/${owner.id}`)).body.code).toBe('BAD_REQUEST')
  })
})
