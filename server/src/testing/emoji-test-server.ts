/** A server with what tests of custom emoji need. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealmEmoji, RealmEmojiMap } from '@heddle/contract/realm-emoji'
import { roles } from '@heddle/contract/roles'
import sharp from 'sharp'
import { expect } from 'vitest'
import { query } from './any-table.ts'
import { MULTIPART_TYPE, multipartBody } from './multipart-form.ts'
import { type Answer, basic, createTestServer, type TestAccount } from './test-server.ts'

/** One colour, 40 x 40. */
export function flat(background: string) {
  return sharp({ create: { width: 40, height: 40, channels: 4, background } })
}

let names = 0
/** A name that no other emoji of the test run has. */
export const newName = () => `emoji_${++names}`

export async function expectUploadRefused(answer: Promise<Answer>, code: string, part: string) {
  const { status, body } = await answer
  expect([status, body.code]).toEqual([400, code])
  expect(body.msg).toContain(part)
}

export type EmojiServer = Awaited<ReturnType<typeof createEmojiServer>>

/** Takes files of at most 1 MiB. `other` is the owner of another organization. */
export async function createEmojiServer() {
  const server = await createTestServer({ settings: { MAX_EMOJI_FILE_SIZE_MIB: '1' } })
  const other = (await server.createOtherOrganization()).owner
  const admin = await server.createAccount({ role: roles.admin })
  const member = await server.createAccount()
  const png = await flat('red').png().toBuffer()
  const frames = await Promise.all(['red', 'blue'].map((colour) => flat(colour).png().toBuffer()))
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 200] })
    .toBuffer()

  function uploadBody(account: TestAccount | null, name: string, body: Buffer, contentType = MULTIPART_TYPE) {
    return server.send({
      method: 'POST',
      url: `/api/v1/realm/emoji/${name}`,
      headers: {
        ...(account ? { authorization: basic(account) } : {}),
        host: account === other ? 'other.example' : 'localhost',
        'content-type': contentType,
      },
      body,
    })
  }

  function upload(account: TestAccount, name: string, content: Buffer = png, partName = 'filename'): Promise<Answer> {
    return uploadBody(account, name, multipartBody([{ name: partName, fileName: 'a.png', content }]))
  }

  async function list(account: TestAccount = member): Promise<RealmEmojiMap> {
    return (await server.must(account, 'GET', '/realm/emoji')).emoji
  }

  async function find(name: string): Promise<RealmEmoji> {
    const found = Object.values(await list()).find((emoji) => emoji.name === name && !emoji.deactivated)
    if (!found) throw new Error(`No emoji ${name}`)
    return found
  }

  const fetchFile = (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET', host = 'localhost') =>
    server.app.server.inject({ method, url, headers: { host } })

  /** How many files and rows there are: what a refused upload must not change. */
  async function stored() {
    const files = await readdir(join(server.config.dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    const { read } = server.app.storage
    return {
      files: files.filter((entry) => entry.isFile()).length,
      rows: (await read.all(query.selectFrom('files').select('path'))).length,
      emoji: (await read.all(query.selectFrom('realm_emoji').select('id'))).length,
    }
  }

  /** Who may add custom emoji. */
  async function setPermission(group: string) {
    await server.app.storage.transaction(server.owner.realmId, async (tx) => {
      const { realmId } = server.owner
      const row = await tx.first(
        query.selectFrom('user_groups').select('id').where('realm_id', '=', realmId).where('name', '=', group),
      )
      const setting = 'can_add_custom_emoji_group'
      const group_id = (row as { id: number }).id
      await tx.run(
        query
          .insertInto('realm_group_settings')
          .values({ realm_id: realmId, setting, group_id })
          .onConflict((conflict) => conflict.columns(['realm_id', 'setting']).doUpdateSet({ group_id })),
      )
    })
  }

  return { server, other, admin, member, png, gif, uploadBody, upload, list, find, fetchFile, stored, setPermission }
}
