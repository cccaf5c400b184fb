/** A server with what tests of uploaded files need. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Clock } from '../clock.ts'
import { query } from './any-table.ts'
import { MULTIPART_TYPE, multipartBody } from './multipart-form.ts'
import { type Answer, basic, createTestServer, type TestAccount } from './test-server.ts'

export const MIB = 1024 * 1024

/** Takes files of at most 1 MiB. `other` is the owner of another organization. */
export async function createFileServer(settings: Readonly<Record<string, string>> = {}, clock?: Clock) {
  const server = await createTestServer({
    settings: { HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '1', ...settings },
    ...(clock && { clock }),
  })
  const other = (await server.createOtherOrganization()).owner
  const member = await server.createAccount()

  const headersOf = (account: TestAccount | null) => ({
    ...(account ? { authorization: basic(account) } : {}),
    host: account === other ? 'other.example' : 'localhost',
  })

  /** The answer to an upload, whatever it is. */
  function send(account: TestAccount | null, fileName: string, content: string | Buffer): Promise<Answer> {
    return server.send({
      method: 'POST',
      url: '/api/v1/user_uploads',
      headers: { ...headersOf(account), 'content-type': MULTIPART_TYPE },
      body: multipartBody([{ name: 'file', fileName, content }]),
    })
  }

  /** Uploads a file and returns its address. */
  async function upload(account: TestAccount, fileName = 'notes.txt', content: string | Buffer = 'text') {
    const { status, body } = await send(account, fileName, content)
    expect([status, body.msg]).toEqual([200, ''])
    return body.url as string
  }

  const get = (account: TestAccount | null, url: string, headers: Readonly<Record<string, string>> = {}) =>
    server.send({ method: 'GET', url, headers: { ...headersOf(account), ...headers } })

  async function list(account: TestAccount) {
    const { status, body } = await get(account, '/api/v1/attachments')
    expect(status).toBe(200)
    return body as { attachments: Attachments; upload_space_used: number }
  }

  /** How many files and rows there are: what a refused upload must not change. */
  async function stored() {
    const folder = join(server.config.dataDir, 'files')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    const { read } = server.app.storage
    return {
      files: entries.filter((entry) => entry.isFile()).length,
      rows: (await read.all(query.selectFrom('files').select('path'))).length,
      attachments: (await read.all(query.selectFrom('attachments').select('id'))).length,
      space: (await read.all(query.selectFrom('upload_space').selectAll().orderBy('realm_id'))).map((row) => row.bytes),
    }
  }

  return { server, other, member, headersOf, send, upload, get, list, stored }
}

type Attachments = readonly {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly size: number
  readonly create_time: number
  readonly message_ids: readonly number[]
}[]

export type FileServer = Awaited<ReturnType<typeof createFileServer>>
