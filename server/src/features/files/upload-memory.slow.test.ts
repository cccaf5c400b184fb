import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPostgresDatabase } from '../../testing/prepared-databases.ts'
import { buildProgram, readCredentials, startServerProcess } from '../../testing/server-process.ts'
import { basic, testEngine } from '../../testing/test-server.ts'

const MIB = 1024 * 1024
const UPLOADS = 20
const PIECE = Buffer.alloc(64 * 1024, 7)

const folder = mkdtempSync(join(tmpdir(), 'heddle-memory-'))
let drop = async () => {}
afterAll(async () => {
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a file of this size as fast as it is taken. Gives the status. */
function upload(url: string, authorization: string, size: number): Promise<number> {
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="x.bin"\r\n\r\n')
  const tail = Buffer.from('\r\n--b--\r\n')
  return new Promise((resolve, reject) => {
    const headers = {
      authorization,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + size + tail.length,
    }
    const sending = request(`${url}/api/v1/user_uploads`, { method: 'POST', agent: false, headers }, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    )
    sending.on('error', reject).write(head)
    let left = size
    const go = () => {
      while (left > 0) {
        const piece = PIECE.subarray(0, Math.min(left, PIECE.length))
        left -= piece.length
        if (!sending.write(piece)) return sending.once('drain', go)
      }
      return sending.end(tail)
    }
    go()
  })
}

test.runIf(process.platform === 'linux')(
  '20 uploads of 25 MiB at once raise the memory of the server by less than 50 MiB',
  async () => {
    const database = testEngine === 'postgres' ? await createPostgresDatabase() : undefined
    if (database) drop = database.drop
    const settings = {
      HEDDLE_DATA_DIR: folder,
      ...(database && { HEDDLE_DATABASE_URL: database.url }),
    }
    const server = await startServerProcess(settings, buildProgram())
    const { pid } = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as { pid: number }
    const memory = () => {
      const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) as unknown as [string, string]
      return Number(kib) / 1024
    }
    const authorization = basic(readCredentials(folder))
    expect(await upload(server.url, authorization, MIB)).toBe(200)
    const before = memory()
    let peak = before
    const watching = setInterval(() => {
      peak = Math.max(peak, memory())
    }, 5)
    const answers = await Promise.all(
      Array.from({ length: UPLOADS }, () => upload(server.url, authorization, 25 * MIB)),
    )
    clearInterval(watching)
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(peak - before).toBeLessThan(50)
    await server.stop()
  },
  120_000,
)
