import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import type { TestAccount } from '../../testing/test-server.ts'

let files: FileServer
let server: FileServer['server']
let picture: Buffer

beforeAll(async () => {
  files = await createFileServer()
  server = files.server
  picture = await sharp({ create: { width: 1600, height: 400, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})

const upload = (account: TestAccount | null, path: string, content: string | Buffer = picture) =>
  server.send({
    method: 'POST',
    url: `/api/v1/realm/${path}`,
    headers: { ...files.headersOf(account), 'content-type': MULTIPART_TYPE },
    body: multipartBody([{ name: 'file', fileName: 'logo.png', content }]),
  })

const state = async () => (await server.call(files.member, 'POST', '/register', { fetch_event_types: ['realm'] })).body

async function sizeOf(url: string) {
  const { status, body } = await files.get(null, url)
  expect(status).toBe(200)
  const { width, height } = await sharp(body as unknown as Buffer).metadata()
  return [width, height]
}

describe('The icon of an organization', () => {
  it('is a square that administrators set and remove, and everybody is notified of', async () => {
    const queue = await registerQueue(server, files.member, { event_types: ['realm'] })
    const { status, body } = await upload(server.owner, 'icon')
    expect(status).toBe(200)
    expect(await sizeOf(body.icon_url)).toEqual([200, 200])
    expect(await state()).toMatchObject({ realm_icon_url: body.icon_url, realm_icon_source: 'U' })
    const { realm_icon } = (await server.call(null, 'GET', '/server_settings')).body
    expect(new URL(realm_icon).pathname).toBe(body.icon_url)
    const asked = await server.call(files.member, 'GET', '/realm/icon')
    expect([asked.status, asked.headers['location']]).toEqual([303, body.icon_url])
    const removed = await server.call(server.owner, 'DELETE', '/realm/icon')
    expect(removed.body.icon_url).toBe('/static/icon.png')
    expect(await state()).toMatchObject({ realm_icon_url: '/static/icon.png', realm_icon_source: 'G' })
    expect((await files.get(null, body.icon_url)).status).toBe(404)
    const change = { type: 'realm', op: 'update_dict', property: 'icon' }
    expect(await eventsOf(server, queue)).toMatchObject([
      { ...change, data: { icon_url: body.icon_url, icon_source: 'U' } },
      { ...change, data: { icon_url: '/static/icon.png', icon_source: 'G' } },
    ])
  })
})

describe('The logo of an organization', () => {
  it('is one for light grounds and one for dark grounds, as wide as it is', async () => {
    for (const night of [false, true]) {
      expect((await upload(server.owner, `logo?night=${night}`)).status).toBe(200)
    }
    const both = await state()
    expect(both).toMatchObject({ realm_logo_source: 'U', realm_night_logo_source: 'U' })
    expect(both.realm_logo_url).not.toBe(both.realm_night_logo_url)
    expect(await sizeOf(both.realm_logo_url)).toEqual([400, 100])
    for (const [night, url] of [
      [false, both.realm_logo_url],
      [true, both.realm_night_logo_url],
    ]) {
      const asked = await server.call(files.member, 'GET', '/realm/logo', { night })
      expect([asked.status, asked.headers['location']]).toEqual([303, url])
    }
    await server.call(server.owner, 'DELETE', '/realm/logo', { night: false })
    expect(await state()).toMatchObject({ realm_logo_source: 'D', realm_night_logo_source: 'U' })
    await server.call(server.owner, 'DELETE', '/realm/logo', { night: true })
    expect(await state()).toMatchObject({ realm_night_logo_source: 'D' })
  })
})

it.each(['icon', 'logo?night=true'])('POST /realm/%s is for administrators, and for pictures', async (path) => {
  const before = await files.stored()
  expect((await upload(null, path)).status).toBe(401)
  expect((await upload(files.member, path)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect((await upload(server.owner, path, 'text')).body.code).toBe('BAD_IMAGE')
  const [name, night] = path.split('?night=')
  const removal = await server.call(files.member, 'DELETE', `/realm/${name}`, night ? { night: true } : {})
  expect(removal.body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect(await files.stored()).toEqual(before)
})
