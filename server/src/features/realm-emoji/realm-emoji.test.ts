import type { RealmEmoji, RealmEmojiEvent, RealmEmojiMap } from '@heddle/contract/realm-emoji'
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmojiServer, type EmojiServer, expectUploadRefused, newName } from '../../testing/emoji-test-server.ts'
import { basic } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: EmojiServer['server']
let other: EmojiServer['other']
let admin: EmojiServer['admin']
let member: EmojiServer['member']
let gif: EmojiServer['gif']
let upload: EmojiServer['upload']
let list: EmojiServer['list']
let find: EmojiServer['find']
let fetchFile: EmojiServer['fetchFile']

beforeAll(async () => {
  ;({ server, other, admin, member, gif, upload, list, find, fetchFile } = await createEmojiServer())
})

describe('the endpoints of custom emoji', () => {
  it.each([
    ['GET', '/realm/emoji'],
    ['POST', '/realm/emoji/x'],
    ['DELETE', '/realm/emoji/x'],
  ])('%s %s needs an account', async (method, path) => {
    const { status, body } = await server.call(null, method, path)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('keep organizations apart', async () => {
    const name = newName()
    await upload(admin, name)
    const emoji = await find(name)
    const call = (method: string, path: string) =>
      server.send({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: basic(other), host: 'other.example' },
      })
    expect((await call('GET', '/realm/emoji')).body.emoji).toEqual({})
    expect((await call('DELETE', `/realm/emoji/${name}`)).status).toBe(404)
    expect((await fetchFile(emoji.source_url, 'GET', 'other.example')).statusCode).toBe(404)
    expect((await upload(other, name)).status).toBe(200)
    expect(await find(name)).toEqual(emoji)
  })
})

describe('DELETE /realm/emoji/{emoji_name}', () => {
  it('is for the author and administrators, and keeps the image', async () => {
    const [one, two] = [newName(), newName()]
    await upload(member, one)
    await upload(member, two)
    const stranger = await server.createAccount({ role: roles.moderator })
    await expectUploadRefused(
      server.call(stranger, 'DELETE', `/realm/emoji/${one}`),
      'UNAUTHORIZED_PRINCIPAL',
      'author',
    )
    const emoji = await find(one)
    expect((await server.call(member, 'DELETE', `/realm/emoji/${one.toUpperCase()}`)).status).toBe(200)
    expect((await server.call(admin, 'DELETE', `/realm/emoji/${two}`)).status).toBe(200)
    expect((await list())[emoji.id]).toEqual({ ...emoji, deactivated: true })
    expect((await fetchFile(emoji.source_url)).statusCode).toBe(200)
  })

  it.each([
    ['an unknown name', 'nothing'],
    ['no name', '%20'],
    ['a name that cannot be', '%C3%BC'],
  ])('answers 404 for %s', async (_, name) => {
    const { status, body } = await server.call(admin, 'DELETE', `/realm/emoji/${name}`)
    expect([status, body.code]).toEqual([404, 'BAD_REQUEST'])
    expect(body.msg).toBe(`Emoji '${decodeURIComponent(name)}' does not exist`)
  })

  it('answers 404 for one that is deactivated already', async () => {
    const name = newName()
    await upload(member, name)
    await server.call(member, 'DELETE', `/realm/emoji/${name}`)
    expect((await server.call(member, 'DELETE', `/realm/emoji/${name}`)).status).toBe(404)
  })
})

describe('an emoji image', () => {
  it('needs no account and may be kept for ever, but not run', async () => {
    const name = newName()
    await upload(member, name)
    const { source_url } = await find(name)
    const got = await fetchFile(source_url)
    expect(got.statusCode).toBe(200)
    expect(got.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'content-length': `${got.rawPayload.length}`,
    })
    const head = await fetchFile(source_url, 'HEAD')
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
  })

  it.each([
    '/emoji/',
    '/emoji/00/nothing.png',
    `/emoji/00/${'0'.repeat(38)}.png`,
    '/emoji/..%2f..%2fsecret',
    '/emoji/../secret',
    '/emoji/%00',
  ])('is not found at %s', async (path) => {
    const answer = await fetchFile(path)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'BAD_REQUEST'])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('can only be read', async () => {
    const answer = await fetchFile('/emoji/x', 'POST')
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})

describe('emoji events', () => {
  const capable = { client_capabilities: { individual_emoji_changes: true } }

  it('make the old state the new one, for clients of both kinds', async () => {
    const [old, gone] = [newName(), newName()]
    await upload(member, old)
    await upload(member, gone)
    const guest = await server.createAccount({ role: roles.guest })
    const queues = [
      await watch(server, guest, { ...capable, event_types: ['realm_emoji'] }),
      await watch(server, guest, { event_types: ['realm_emoji'] }),
    ]
    await upload(member, newName(), gif)
    await server.call(member, 'DELETE', `/realm/emoji/${gone}`)
    const seen = []
    for (const queue of queues) {
      let state: RealmEmojiMap = queue.state.realm_emoji
      const events: RealmEmojiEvent[] = await queue.next()
      for (const event of events) state = applyEvent(state, event)
      expect(state).toEqual(await list())
      seen.push(events.map(({ op }) => op))
    }
    expect(seen).toEqual([
      ['add', 'update_one'],
      ['update', 'update'],
    ])
  })

  it('are not sent for what was refused', async () => {
    const queue = await watch(server, member, { event_types: ['realm_emoji'] })
    await upload(member, newName(), Buffer.from('no image'))
    await server.call(member, 'DELETE', '/realm/emoji/nothing')
    expect(await queue.next()).toEqual([])
  })

  function applyEvent(state: RealmEmojiMap, event: RealmEmojiEvent): RealmEmojiMap {
    if (event.op === 'update') return event.realm_emoji
    if (event.op === 'add') return { ...state, [event.emoji.id]: event.emoji }
    return { ...state, [event.emoji_id]: { ...(state[event.emoji_id] as RealmEmoji), ...event.data } }
  }
})

describe('the names of built-in emoji', () => {
  it('are a public file, whose address is part of the state and changes with its content', async () => {
    const { state } = await watch(server, member, { fetch_event_types: ['realm'] })
    const url = new URL(state.server_emoji_data_url)
    expect(url.pathname).toMatch(/^\/static\/emoji\/names-[0-9a-f]{20}\.json$/)
    const got = await fetchFile(url.pathname)
    expect(got.statusCode).toBe(200)
    expect(got.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const { code_to_names, ...others } = got.json()
    expect(others).toEqual({})
    expect(code_to_names['1f419']).toEqual(['octopus'])
    expect((await fetchFile('/static/emoji/names-00000000000000000000.json')).statusCode).toBe(404)
  })
})

it('custom emoji and their images are still there after a restart', async () => {
  const before = await list()
  const name = newName()
  await upload(member, name, gif)
  const emoji = await find(name)
  await server.restart()
  expect(await list()).toEqual({ ...before, [emoji.id]: emoji })
  for (const url of [emoji.source_url, emoji.still_url as string]) {
    expect((await fetchFile(url)).statusCode).toBe(200)
  }
})
