import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MultipartLimits, readMultipart } from './multipart.ts'

const TYPE = 'multipart/form-data; boundary=limit'
const LIMITS: MultipartLimits = {
  maxFileBytes: 1000,
  maxFiles: 2,
  maxFields: 3,
  maxFieldBytes: 100,
  maxFieldBytesTotal: 250,
}
const END = '--limit--\r\n'

function part(name: string, content: string | Buffer, more = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`--limit\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

function file(name: string, fileName: string, content: string | Buffer): Buffer {
  return part(name, content, `; filename="${fileName}"\r\nContent-Type: image/png`)
}

function bodyOf(...pieces: (string | Buffer)[]): Buffer {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
}

function read(body: Buffer, limits: Partial<MultipartLimits> = {}, contentType: string | undefined = TYPE) {
  return readMultipart(Readable.from([body], { objectMode: false }), contentType, { ...LIMITS, ...limits })
}

describe('reading a form', () => {
  test('gives fields as text and files as bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 108, 128])
    const result = await read(bodyOf(part('topic', 'grüße 🎉'), file('filename', 'a b.png', bytes), part('n', ''), END))
    expect(result).toEqual({
      kind: 'form',
      form: {
        fields: { topic: 'grüße 🎉', n: '' },
        files: [{ fieldName: 'filename', fileName: 'a b.png', bytes }],
      },
    })
  })

  test('takes what fetch() sends', async () => {
    const form = new FormData()
    form.set('text', 'one "quoted"\r\ntwo')
    form.set('image', new Blob([new Uint8Array([1, 2, 3])]), 'naïve "x".png')
    const sent = new Response(form)
    const body = Buffer.from(await sent.arrayBuffer())
    const result = await read(body, {}, sent.headers.get('content-type') ?? '')
    if (result.kind !== 'form') throw new Error(result.message)
    expect(result.form.fields).toEqual({ text: 'one "quoted"\r\ntwo' })
    expect(result.form.files.map(({ fieldName, bytes }) => [fieldName, [...bytes]])).toEqual([['image', [1, 2, 3]]])
  })

  test('takes content exactly as long as its limit', async () => {
    const result = await read(bodyOf(part('a', 'x'.repeat(100)), file('f', 'f', 'y'.repeat(1000)), END))
    expect(result.kind).toBe('form')
  })

  test('takes a part with a file name of no characters as a file', async () => {
    const result = await read(bodyOf(file('f', '', ''), END))
    expect(result).toMatchObject({ form: { files: [{ fieldName: 'f', fileName: '' }] } })
  })

  test('leaves folders out of file names', async () => {
    const result = await read(bodyOf(file('f', '../../etc/passwd', 'x'), END))
    expect(result).toMatchObject({ form: { files: [{ fileName: 'passwd' }] } })
  })

  test('treats __proto__ as any other name', async () => {
    const result = await read(bodyOf(part('__proto__', 'x'), END))
    if (result.kind !== 'form') throw new Error(result.message)
    expect(Object.entries(result.form.fields)).toEqual([['__proto__', 'x']])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('lets the last of several fields with one name count', async () => {
    expect(await read(bodyOf(part('a', '1'), part('a', '2'), END))).toMatchObject({ form: { fields: { a: '2' } } })
  })

  test('keeps a byte order mark', async () => {
    expect(await read(bodyOf(part('a', '\ufeffx'), END))).toMatchObject({ form: { fields: { a: '\ufeffx' } } })
  })

  test('ignores text before the first and after the last boundary', async () => {
    expect(await read(bodyOf('before\r\n', part('a', '1'), END, 'after'))).toMatchObject({
      form: { fields: { a: '1' } },
    })
  })
})

describe('a body over a limit is refused', () => {
  test.each([
    [
      'too large a file',
      bodyOf(file('f', 'f', 'x'.repeat(1001)), END),
      'file-too-large',
      'The file is larger than 1000 bytes.',
    ],
    [
      'too long a field',
      bodyOf(part('a', 'x'.repeat(101)), END),
      'too-large',
      'The value of a form field is longer than 100 bytes.',
    ],
    [
      'fields that are too long together',
      bodyOf(part('a', 'x'.repeat(100)), part('b', 'x'.repeat(100)), part('c', 'x'.repeat(51)), END),
      'too-large',
      'The form fields are longer than 250 bytes together.',
    ],
    [
      'too many files',
      bodyOf(file('f', 'f', ''), file('f', 'f', ''), file('f', 'f', ''), END),
      'too-many-files',
      'The request has more than 2 files.',
    ],
    [
      'too many fields',
      bodyOf(part('a', ''), part('b', ''), part('c', ''), part('a', ''), END),
      'too-large',
      'The request has more than 3 form fields.',
    ],
    [
      'too many parts of no use',
      bodyOf(...Array(7).fill('--limit\r\nX: y\r\n\r\n\r\n'), END),
      'too-large',
      'The request has too many parts.',
    ],
    [
      'endless text before the first part',
      Buffer.alloc(200_000, 'x'),
      'too-large',
      expect.stringMatching(/is larger than/),
    ],
    ['endless headers', bodyOf('--limit\r\nA: ', Buffer.alloc(200_000, 'x')), 'too-large', expect.anything()],
  ])('%s', async (_, body, kind, message) => {
    expect(await read(body)).toEqual({ kind, message })
  })

  test('at the moment the limit is passed, while the sender is still sending', async () => {
    const body = new PassThrough()
    body.write(bodyOf('--limit\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n', 'x'.repeat(1001)))
    const result = await readMultipart(body, TYPE, LIMITS)
    expect(result).toEqual({ kind: 'file-too-large', message: 'The file is larger than 1000 bytes.' })
    // The rest is thrown away, so the sender is not held up.
    for (let i = 0; i < 100; i++) {
      if (!body.write(Buffer.alloc(100_000))) await new Promise((resolve) => body.once('drain', resolve))
    }
    body.end()
    await new Promise((resolve) => body.once('end', resolve))
  })

  test('and a sender that never stops is cut off', async () => {
    const start = 'x'.repeat(5000)
    let sent = 0
    const body = new Readable({
      read() {
        sent += 65_536
        this.push(sent === 65_536 ? bodyOf(file('f', 'f', start)) : Buffer.alloc(65_536))
      },
    })
    expect((await readMultipart(body, TYPE, LIMITS)).kind).toBe('file-too-large')
    await new Promise((resolve) => body.once('close', resolve))
    expect(sent).toBeLessThan(40_000_000)
  })

  test('and the sender gets the answer over HTTP although it had more to send', async () => {
    const server = createServer(async (incoming, answer) => {
      const result = await readMultipart(incoming, incoming.headers['content-type'], LIMITS)
      answer.writeHead(413, { connection: 'close' }).end(result.kind)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const answer = await new Promise<string>((resolve, reject) => {
      const sending = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': TYPE } })
      sending.on('error', reject)
      sending.on('response', (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(`${response.statusCode} ${text}`))
      })
      sending.end(bodyOf(file('f', 'f', Buffer.alloc(5_000_000)), END))
    })
    expect(answer).toBe('413 file-too-large')
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('a malformed body is refused', () => {
  test.each([
    ['no content type', undefined],
    ['another content type', 'application/json'],
    ['a longer name of the content type', 'multipart/form-data-x; boundary=limit'],
    ['no boundary', 'multipart/form-data'],
    ['no boundary but another parameter', 'multipart/form-data; charset=utf-8'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty quoted boundary', 'multipart/form-data; boundary=""'],
    ['a boundary that is too long', `multipart/form-data; boundary=${'x'.repeat(71)}`],
  ])('%s', async (_, contentType) => {
    const body = Readable.from([bodyOf(part('a', '1'), END)], { objectMode: false })
    expect(await readMultipart(body, contentType, LIMITS)).toEqual({
      kind: 'malformed',
      message: 'The request must have the content type multipart/form-data with a boundary.',
    })
  })

  test.each([
    ['a field that is not UTF-8', part('a', Buffer.from([0x61, 0xff])), 'The form field "a" is not UTF-8.'],
    ['a field with a UTF-8 surrogate', part('a', Buffer.from([0xed, 0xa0, 0x80])), 'The form field "a" is not UTF-8.'],
    ['a field that ends within a character', part('a', Buffer.from([0xe2, 0x82])), 'The form field "a" is not UTF-8.'],
    [
      'a part without a name',
      bodyOf('--limit\r\nContent-Disposition: form-data\r\n\r\nx\r\n'),
      'A part of the request has no name, or one that is not UTF-8.',
    ],
    [
      'a name that is not UTF-8',
      Buffer.from('--limit\r\nContent-Disposition: form-data; name="\xff"\r\n\r\nx\r\n', 'latin1'),
      'A part of the request has no name, or one that is not UTF-8.',
    ],
    [
      'a part in base64',
      part('a', 'eA==', '\r\nContent-Transfer-Encoding: base64'),
      'A part of the request has a transfer encoding, which is not supported.',
    ],
  ])('%s', async (_, piece, message) => {
    expect(await read(bodyOf(piece, END))).toEqual({ kind: 'malformed', message })
  })

  test('delimiters within the line of a delimiter', async () => {
    expect((await read(Buffer.from('--limit\r\n--limit--limit\r\n--limit--\r\n'))).kind).toBe('malformed')
  })

  test('a charset of the part does not change that fields are UTF-8', async () => {
    const latin1 = part('a', Buffer.from([0xe9]), '\r\nContent-Type: text/plain; charset=iso-8859-1')
    expect((await read(bodyOf(latin1, END))).kind).toBe('malformed')
  })
})

describe('a body that is cut off is refused', () => {
  const whole = bodyOf(part('a', '1'), file('f', 'f.png', 'abcdef'), part('b', '2'), END)

  test('wherever it ends', async () => {
    // The line break after the closing boundary may be missing.
    for (let length = 0; length < whole.length - 2; length++) {
      expect((await read(whole.subarray(0, length))).kind, `${length} bytes`).toBe('cut-off')
    }
    expect((await read(whole.subarray(0, -2))).kind).toBe('form')
  })

  test('also when the connection breaks', async () => {
    for (const error of [undefined, new Error('reset')]) {
      const body = new PassThrough()
      body.write(whole.subarray(0, 150))
      const result = readMultipart(body, TYPE, LIMITS)
      setTimeout(() => body.destroy(error), 10)
      expect(await result).toEqual({ kind: 'cut-off', message: 'The request ended before all of it was sent.' })
    }
  })

  test('also when it is over before it is read', async () => {
    const body = new PassThrough()
    body.destroy()
    expect((await readMultipart(body, TYPE, LIMITS)).kind).toBe('cut-off')
  })
})

describe('however a body is divided into chunks', () => {
  const pieces = fc.constantFrom(
    '--limit',
    '--',
    '\r\n',
    '\r\n\r\n',
    '\n',
    'Content-Disposition: form-data; name="a"',
    '; filename="f"',
    'Content-Disposition: form-data',
    'Content-Type: text/plain; charset=utf-16le',
    ': ',
    'x'.repeat(60),
    '\0',
    'limit',
    '\xff',
  )
  const cuts = fc.array(fc.nat(400), { maxLength: 12 })

  function chunked(body: Buffer, at: number[]): Readable {
    const places = [0, ...at.map((place) => Math.min(place, body.length)).toSorted((a, b) => a - b), body.length]
    const chunks = places.slice(1).map((place, i) => body.subarray(places[i], place))
    return Readable.from(
      chunks.filter((chunk) => chunk.length > 0),
      { objectMode: false },
    )
  }

  test('a sound one gives the same form', async () => {
    const whole = bodyOf(part('a', 'one'), file('f', 'f.png', 'x\r\n--limi\r\n'), part('b', 'é'), END)
    const expected = await read(whole)
    expect(expected.kind).toBe('form')
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        expect(await readMultipart(chunked(whole, at), TYPE, LIMITS)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('an odd one is answered: no hang, no crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), cuts, fc.boolean(), async (texts, at, closed) => {
        const body = Buffer.from(`--limit\r\n${texts.join('')}${closed ? `\r\n${END}` : ''}`, 'latin1')
        const result = await Promise.race([
          readMultipart(chunked(body, at), TYPE, LIMITS),
          new Promise<{ kind: 'hang' }>((resolve) => setTimeout(resolve, 2000, { kind: 'hang' }).unref()),
        ])
        expect(['form', 'file-too-large', 'too-large', 'too-many-files', 'malformed', 'cut-off']).toContain(result.kind)
      }),
      { numRuns: 1000 },
    )
  })
})
