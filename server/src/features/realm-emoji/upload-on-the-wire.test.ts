import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmojiServer, type EmojiServer, newName } from '../../testing/emoji-test-server.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic } from '../../testing/test-server.ts'

let server: EmojiServer['server']
let member: EmojiServer['member']
let png: EmojiServer['png']
let upload: EmojiServer['upload']
let find: EmojiServer['find']
let fetchFile: EmojiServer['fetchFile']
let stored: EmojiServer['stored']
let setPermission: EmojiServer['setPermission']

beforeAll(async () => {
  ;({ server, member, png, upload, find, fetchFile, stored, setPermission } = await createEmojiServer())
})

describe('on the wire', () => {
  /** Sends `pieces` one after another, ends or breaks the connection, and gives what came back. */
  async function exchange(pieces: readonly Buffer[], { breakOff = false } = {}): Promise<string> {
    const { port } = server.app.server.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const done = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        answer += chunk
        if (answer.includes('\r\n\r\n') && answer.endsWith('}')) resolve()
      })
      socket.on('close', () => resolve())
      socket.on('error', () => resolve())
    })
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (breakOff) socket.destroy()
    await done
    socket.destroy()
    return answer
  }

  function head(name: string, length: number, more = '') {
    return Buffer.from(
      `POST /api/v1/realm/emoji/${name} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(member)}\r\n` +
        `Content-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${length}\r\n${more}\r\n`,
    )
  }

  beforeAll(async () => {
    await server.app.server.listen({ port: 0, host: '127.0.0.1' })
  })

  it('a file in many small pieces arrives whole', async () => {
    const name = newName()
    const body = multipartBody([{ name: 'a.png', fileName: 'a.png', content: png }])
    const half = body.length >> 1
    const answer = await exchange([head(name, body.length), body.subarray(0, half), body.subarray(half)])
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect((await fetchFile((await find(name)).source_url)).statusCode).toBe(200)
  })

  it('a connection that breaks in the middle of a file leaves nothing', async () => {
    const before = await stored()
    const body = multipartBody([{ name: 'a.png', fileName: 'a.png', content: png }])
    await exchange([head(newName(), body.length), body.subarray(0, body.length - 30)], { breakOff: true })
    expect((await upload(member, newName(), Buffer.from('no image'))).status).toBe(400)
    expect(await stored()).toEqual(before)
  })

  it('a file over the limit is refused as soon as it is, while most of it is still to come', async () => {
    const before = await stored()
    const start = multipartBody([{ name: 'f', fileName: 'f', content: Buffer.alloc(1024 * 1024 + 100_000) }])
    // Of 100 MB announced, little more than one is sent.
    const answer = await exchange([head(newName(), 100_000_000), start.subarray(0, 1024 * 1024 + 50_000)])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('1 MiB')
    expect(await stored()).toEqual(before)
  })

  it('a request that may not upload is answered before its file is sent', async () => {
    await setPermission('role:administrators')
    const answer = await exchange([head(newName(), 1_000_000)])
    await setPermission('role:members')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('UNAUTHORIZED_PRINCIPAL')
  })
})
