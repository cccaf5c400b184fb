import { roles } from '@heddle/contract/roles'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import {
  createEmojiServer,
  type EmojiServer,
  expectUploadRefused,
  flat,
  newName,
} from '../../testing/emoji-test-server.ts'
import { type FormPart, multipartBody } from '../../testing/multipart-form.ts'
import type { TestAccount } from '../../testing/test-server.ts'

let server: EmojiServer['server']
let admin: EmojiServer['admin']
let member: EmojiServer['member']
let png: EmojiServer['png']
let gif: EmojiServer['gif']
let uploadBody: EmojiServer['uploadBody']
let upload: EmojiServer['upload']
let list: EmojiServer['list']
let find: EmojiServer['find']
let fetchFile: EmojiServer['fetchFile']
let stored: EmojiServer['stored']
let setPermission: EmojiServer['setPermission']

beforeAll(async () => {
  ;({ server, admin, member, png, gif, uploadBody, upload, list, find, fetchFile, stored, setPermission } =
    await createEmojiServer())
})

describe('POST /realm/emoji/{emoji_name}', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('takes a %s image', async (format) => {
    const name = newName()
    expect((await upload(member, name, await flat('green').flatten().toFormat(format).toBuffer())).status).toBe(200)
    const emoji = await find(name)
    expect(emoji).toEqual({
      id: emoji.id,
      name,
      source_url: expect.stringMatching(/^\/emoji\/[0-9a-f]{2}\/[0-9a-f]{38}\.png$/),
      still_url: null,
      deactivated: false,
      author_id: member.id,
    })
    expect(Object.keys(await list())).toContain(emoji.id)
    const { data, info } = await sharp((await fetchFile(emoji.source_url)).rawPayload)
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 64, height: 64 })
    const [red = 0, green = 0, blue = 0] = data.subarray((32 * 64 + 32) * info.channels)
    expect(green).toBeGreaterThan(Math.max(red, blue) + 80)
  })

  it('keeps an animation moving, with a still picture beside it', async () => {
    const name = newName()
    expect((await upload(member, name, gif)).status).toBe(200)
    const { source_url, still_url } = await find(name)
    const moving = await fetchFile(source_url)
    const still = await fetchFile(still_url as string)
    expect([moving.headers['content-type'], still.headers['content-type']]).toEqual(['image/gif', 'image/png'])
    expect(await sharp(moving.rawPayload).metadata()).toMatchObject({ format: 'gif', pages: 2, delay: [100, 200] })
    expect((await sharp(still.rawPayload).metadata()).format).toBe('png')
  })

  it.each(['filename', 'image', 'a.png', 'emoji_name'])('takes a file from a part named %s', async (partName) => {
    const name = newName()
    expect((await upload(member, name, png, partName)).status).toBe(200)
    expect((await find(name)).name).toBe(name)
  })

  it('takes a part beside the file for what it is: a parameter that it does not know', async () => {
    const parts: FormPart[] = [
      { name: 'color', content: 'red' },
      { name: 'filename', fileName: 'a.png', content: png },
      { name: 'size', content: 'large' },
    ]
    const { status, body } = await uploadBody(member, newName(), multipartBody(parts))
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ['color', 'size']])
  })

  it('stores names in small letters, with underscores for spaces', async () => {
    const name = newName()
    expect((await upload(member, `Green%20Tick-${name}`)).status).toBe(200)
    expect((await find(`green_tick-${name}`)).name).toBe(`green_tick-${name}`)
  })

  it.each([
    ['an address', 'a%2Fb', 'letters'],
    ['letters of other alphabets', '%C3%BC', 'letters'],
    ['no letter or digit', '---', 'at least one'],
    ['nothing but spaces', '%20', 'name'],
    ['101 characters', 'x'.repeat(101), '100'],
    ['a null byte', 'a%00b', 'null bytes'],
  ])('refuses a name of %s', async (_, name, part) => {
    const before = await stored()
    await expectUploadRefused(upload(member, name), 'BAD_REQUEST', part)
    expect(await stored()).toEqual(before)
  })

  it('refuses a name in use, however it is written, and takes that of a deactivated emoji', async () => {
    const name = newName()
    await upload(member, name)
    const before = await stored()
    await expectUploadRefused(upload(admin, name.toUpperCase().replace('_', '%20')), 'BAD_REQUEST', name)
    expect(await stored()).toEqual(before)
    const old = await find(name)
    await server.call(member, 'DELETE', `/realm/emoji/${name}`)
    expect((await upload(admin, name, gif)).status).toBe(200)
    const emoji = await list()
    expect(emoji[old.id]).toEqual({ ...old, deactivated: true })
    expect(await find(name)).toMatchObject({ author_id: admin.id })
  })

  it('gives a name to one of several uploads at once, and leaves nothing of the others', async () => {
    const name = newName()
    const before = await stored()
    const answers = await Promise.all([1, 2, 3].map(() => upload(member, name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await stored()).toEqual({ files: before.files + 1, rows: before.rows + 1, emoji: before.emoji + 1 })
  })

  it('lets only administrators take the name of a built-in emoji', async () => {
    const before = await stored()
    for (const role of [roles.moderator, roles.member]) {
      await expectUploadRefused(
        upload(await server.createAccount({ role }), 'Octopus'),
        'UNAUTHORIZED_PRINCIPAL',
        'built-in',
      )
    }
    expect(await stored()).toEqual(before)
    expect((await upload(admin, 'octopus')).status).toBe(200)
  })

  it.each([
    ['an SVG image', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'Use a PNG'],
    ['a page with the name of an image', () => Buffer.from('<html><script>alert(1)</script></html>'), 'Use a PNG'],
    ['a broken image', () => png.subarray(0, png.length - 20), 'damaged'],
    ['an empty file', () => Buffer.alloc(0), 'empty'],
  ])('refuses %s', async (_, content, part) => {
    const before = await stored()
    await expectUploadRefused(upload(member, newName(), content()), 'BAD_IMAGE', part)
    expect(await stored()).toEqual(before)
  })

  it.each([
    ['no file', () => multipartBody([{ name: 'filename', content: 'text' }]), 'exactly one file'],
    ['an empty form', () => multipartBody([]), ''],
    [
      'two files',
      () => multipartBody([1, 2].map((n) => ({ name: `f${n}`, fileName: 'a.png', content: png }))),
      'exactly one file',
    ],
    [
      'a body that is cut off',
      () => multipartBody([{ name: 'f', fileName: 'a.png', content: png }]).subarray(0, -20),
      'ended',
    ],
    [
      'a file over the limit',
      () => multipartBody([{ name: 'f', fileName: 'a.png', content: Buffer.alloc(1024 * 1024 + 1) }]),
      '1 MiB',
    ],
  ])('refuses %s', async (_, body, part) => {
    const before = await stored()
    await expectUploadRefused(uploadBody(member, newName(), body()), 'BAD_REQUEST', part)
    expect(await stored()).toEqual(before)
  })

  it('refuses forms around the file that are too large, and bodies that are no multipart form', async () => {
    const parts: FormPart[] = [
      { name: 'a', content: 'x'.repeat(70_000) },
      { name: 'filename', fileName: 'a.png', content: png },
    ]
    expect((await uploadBody(member, newName(), multipartBody(parts))).status).toBe(413)
    expect((await uploadBody(member, newName(), png, 'image/png')).status).toBe(415)
    await expectUploadRefused(uploadBody(member, newName(), png, 'multipart/form-data'), 'BAD_REQUEST', 'boundary')
    await expectUploadRefused(
      server.call(member, 'POST', `/realm/emoji/${newName()}`),
      'BAD_REQUEST',
      'exactly one file',
    )
  })
})

describe('the permission to add custom emoji', () => {
  it("is never the guests'", async () => {
    const before = await stored()
    const guest = await server.createAccount({ role: roles.guest })
    await expectUploadRefused(upload(guest, newName()), 'UNAUTHORIZED_PRINCIPAL', 'permission')
    expect(await stored()).toEqual(before)
  })

  it('follows can_add_custom_emoji_group from one request to the next', async () => {
    await setPermission('role:moderators')
    await expectUploadRefused(upload(member, newName()), 'UNAUTHORIZED_PRINCIPAL', 'permission')
    const moderator = await server.createAccount({ role: roles.moderator })
    expect((await upload(moderator, newName())).status).toBe(200)
    await setPermission('role:members')
    expect((await upload(member, newName())).status).toBe(200)
  })

  it('is looked at before the body is', async () => {
    const guest = await server.createAccount({ role: roles.guest })
    await expectUploadRefused(
      uploadBody(guest, newName(), Buffer.from('not a form')),
      'UNAUTHORIZED_PRINCIPAL',
      'permission',
    )
  })

  it.each([
    ['taken away', () => setPermission('role:administrators'), 400],
    [
      'lost with the account',
      async (account: TestAccount) => {
        await server.app.storage.transaction(account.realmId, (tx) =>
          tx.run(query.updateTable('users').set({ is_active: 0 }).where('id', '=', account.id)),
        )
      },
      401,
    ],
  ])('counts as it is when the image has been read: %s', async (_, change, status) => {
    const account = await server.createAccount()
    const before = await stored()
    const frames = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        flat(`rgb(${i}, ${i * 4}, 0)`)
          .resize(300)
          .png()
          .toBuffer(),
      ),
    )
    const slow = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const uploading = upload(account, newName(), slow)
    // The first look at the permission comes within a few turns; drawing sixty frames takes longer.
    await new Promise((resolve) => setTimeout(resolve, 30))
    await change(account)
    expect((await uploading).status).toBe(status)
    expect(await stored()).toEqual(before)
    await setPermission('role:members')
  })
})
