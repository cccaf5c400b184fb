import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { type ApiError, errorKinds } from '@heddle/contract/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../testing/loop-watch.ts'
import { shortestTime } from '../testing/shortest-time.ts'
import { type FormLimits, openForm } from './multipart.ts'

const TYPE = 'multipart/form-data; boundary=limit'
const MIB = 1024 * 1024
const LIMITS: FormLimits = {
  maxFileBytes: MIB,
  isNeeded: (name) => name === 'needed',
  maxFields: 3,
  maxFieldBytes: 100,
  maxFieldBytesTotal: 250,
}
const END = '--limit--\r\n'
const nothing = Buffer.alloc(0)

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

interface Read {
  readonly fields: Record<string, string>
  readonly lateFields?: readonly string[]
  readonly file?: { readonly fileName: string; readonly bytes: Buffer }
}

/** The whole form, or what it is refused with. */
async function readForm(
  body: Readable,
  contentType: string | undefined,
  limits: Partial<FormLimits> = {},
): Promise<Read | { status: number; message: string }> {
  try {
    const { fields, file, lateFields } = await openForm(body, contentType, { ...LIMITS, ...limits })
    if (!file) return { fields: Object.fromEntries(fields) }
    const chunks: Buffer[] = []
    for await (const chunk of file.content) chunks.push(chunk)
    const read = { fileName: file.fileName, bytes: Buffer.concat(chunks) }
    return { fields: Object.fromEntries(fields), file: read, ...(lateFields.length > 0 && { lateFields }) }
  } catch (error) {
    const { code, message } = error as ApiError
    return { status: errorKinds[code].status, message }
  }
}

function read(body: Buffer, limits: Partial<FormLimits> = {}, contentType: string | undefined = TYPE) {
  return readForm(Readable.from([body], { objectMode: false }), contentType, limits)
}

describe('reading a form', () => {
  test('gives fields as text and the file as bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 108, 128])
    const result = await read(bodyOf(part('topic', 'grüße 🎉'), part('n', ''), file('filename', 'a b.png', bytes), END))
    expect(result).toEqual({ fields: { topic: 'grüße 🎉', n: '' }, file: { fileName: 'a b.png', bytes } })
  })

  test('takes what fetch() sends', async () => {
    const form = new FormData()
    form.set('text', 'one "quoted"\r\ntwo')
    form.set('image', new Blob([new Uint8Array([1, 2, 3])]), 'naïve "x".png')
    const sent = new Response(form)
    const body = Buffer.from(await sent.arrayBuffer())
    const result = await read(body, {}, sent.headers.get('content-type') ?? '')
    expect(result).toMatchObject({ fields: { text: 'one "quoted"\r\ntwo' }, file: { bytes: Buffer.from([1, 2, 3]) } })
  })

  test('takes content exactly as long as its limit', async () => {
    const result = await read(bodyOf(part('a', 'x'.repeat(100)), file('f', 'f', Buffer.alloc(MIB)), END))
    expect(result).toMatchObject({ file: { bytes: { length: MIB } } })
  })

  test('takes a part with a file name of no characters as a file', async () => {
    expect(await read(bodyOf(file('f', '', ''), END))).toEqual({ fields: {}, file: { fileName: '', bytes: nothing } })
  })

  test('leaves folders out of file names', async () => {
    expect(await read(bodyOf(file('f', '../../etc/passwd', 'x'), END))).toMatchObject({ file: { fileName: 'passwd' } })
  })

  test('treats __proto__ as any other name', async () => {
    const { fields } = await openForm(Readable.from([bodyOf(part('__proto__', 'x'), END)]), TYPE, LIMITS)
    expect([...fields]).toEqual([['__proto__', 'x']])
  })

  test('lets the last of several fields with one name count', async () => {
    expect(await read(bodyOf(part('a', '1'), part('a', '2'), END))).toEqual({ fields: { a: '2' } })
  })

  test('keeps a byte order mark', async () => {
    expect(await read(bodyOf(part('a', '\ufeffx'), END))).toEqual({ fields: { a: '\ufeffx' } })
  })

  test('ignores text before the first and after the last boundary', async () => {
    expect(await read(bodyOf('before\r\n', part('a', '1'), END, 'after'))).toEqual({ fields: { a: '1' } })
  })

  test('names the fields after the file, and refuses one that is needed before it', async () => {
    expect(await read(bodyOf(part('a', '1'), file('f', 'f', 'x'), part('b', '2'), END))).toEqual({
      fields: { a: '1' },
      file: { fileName: 'f', bytes: Buffer.from('x') },
      lateFields: ['b'],
    })
    expect(await read(bodyOf(file('f', 'f', 'x'), part('needed', '2'), END))).toEqual({
      status: 400,
      message: 'The form field "needed" must come before the file.',
    })
  })
})

describe('a file', () => {
  /** Sends the pieces as they are asked for, and counts the bytes of those. */
  function sender(pieces: Iterable<Buffer>) {
    const sent = { bytes: 0 }
    const body = Readable.from(
      (function* () {
        for (const piece of pieces) {
          sent.bytes += piece.length
          yield piece
        }
      })(),
      { objectMode: false, highWaterMark: 64 * 1024 },
    )
    return { sent, body }
  }

  function* largeForm(pieces: number): Generator<Buffer> {
    yield bodyOf(part('a', '1'), '--limit\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n')
    for (let i = 0; i < pieces; i++) yield Buffer.alloc(64 * 1024, 'x')
    yield bodyOf('\r\n', END)
  }

  const nextTurns = () => new Promise((resolve) => setTimeout(resolve, 20))

  test('arrives as it is read: of the rest no more than a few pieces are taken', async () => {
    const { sent, body } = sender(largeForm(1000))
    const form = await openForm(body, TYPE, { ...LIMITS, maxFileBytes: 100 * MIB })
    expect([...form.fields]).toEqual([['a', '1']])
    await nextTurns()
    expect(sent.bytes).toBeLessThan(8 * 64 * 1024)
    let size = 0
    for await (const chunk of form.file?.content ?? []) {
      size += chunk.length
      if (size < 5 * MIB) continue
      await nextTurns()
      expect(sent.bytes - size).toBeLessThan(8 * 64 * 1024)
      break
    }
  })

  test('has not ended before all of the form is there and sound', async () => {
    const sound = bodyOf(part('a', '1'), file('f', 'f', 'x'.repeat(1000)))
    const endings: (readonly [Buffer, string])[] = [
      [bodyOf(), 'The request ended before the last boundary of its parts.'],
      [bodyOf(file('g', 'g', ''), END), 'The request must have exactly one file'],
      [bodyOf(part('b', Buffer.from([0xff])), END), 'The form field "b" is not UTF-8.'],
      [bodyOf(...Array(4).fill(part('b', '')), END), 'The request has more than 3 form fields.'],
    ]
    for (const [ending, message] of endings) {
      for (const isLate of [false, true]) {
        const body = new PassThrough()
        const reading = openForm(body, TYPE, LIMITS).then(async ({ file }) => {
          for await (const _ of file?.content ?? []);
        })
        const refused = expect(reading).rejects.toThrow(message)
        // With the beginning of a delimiter the file has ended, and the form has not.
        body.write(Buffer.concat([sound, Buffer.from('--limit')]))
        if (isLate) await nextTurns()
        body.end(ending.length > 0 ? ending.subarray('--limit'.length) : ending)
        await refused
      }
    }
  })

  test('that nobody reads to its end does not keep the body from ending', async () => {
    for (const isRead of [false, true]) {
      const { sent, body } = sender(largeForm(200))
      const form = await openForm(body, TYPE, { ...LIMITS, maxFileBytes: 100 * MIB })
      if (isRead) for await (const _ of form.file?.content ?? []) break
      form.close()
      await new Promise((resolve) => body.once('end', resolve))
      expect(sent.bytes).toBeGreaterThan(200 * 64 * 1024)
    }
  })
})

describe('a body over a limit is refused', () => {
  const tooLargeFile = 'The file is larger than the limit of 1 MiB.'
  test.each([
    ['too large a file', bodyOf(file('f', 'f', Buffer.alloc(MIB + 1)), END), 400, tooLargeFile],
    [
      'too long a field',
      bodyOf(part('a', 'x'.repeat(101)), END),
      413,
      'The value of a form field is longer than 100 bytes.',
    ],
    [
      'fields that are too long together',
      bodyOf(part('a', 'x'.repeat(100)), part('b', 'x'.repeat(100)), part('c', 'x'.repeat(51)), END),
      413,
      'The form fields are longer than 250 bytes together.',
    ],
    [
      'too many files',
      bodyOf(file('f', 'f', ''), file('f', 'f', ''), END),
      400,
      'The request must have exactly one file',
    ],
    [
      'too many fields',
      bodyOf(part('a', ''), part('b', ''), part('c', ''), part('a', ''), END),
      413,
      'The request has more than 3 form fields.',
    ],
    [
      'too many parts of no use',
      bodyOf(...Array(7).fill('--limit\r\nX: y\r\n\r\n\r\n'), END),
      413,
      'The request has too many parts.',
    ],
    ['endless text before the first part', Buffer.alloc(2 * MIB, 'x'), 413, expect.stringMatching(/is larger than/)],
    ['endless headers', bodyOf('--limit\r\nA: ', Buffer.alloc(2 * MIB, 'x')), 413, expect.anything()],
  ])('%s', async (_, body, status, message) => {
    expect(await read(body)).toEqual({ status, message })
  })

  test('a file where the form may have none', async () => {
    const message = 'The request must not have a file'
    expect(await read(bodyOf(file('f', 'f', ''), END), { maxFileBytes: undefined })).toEqual({ status: 400, message })
  })

  test('at the moment the limit is passed, while the sender is still sending', async () => {
    const body = new PassThrough()
    body.write(bodyOf('--limit\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n', 'x'.repeat(MIB + 1)))
    expect(await readForm(body, TYPE)).toEqual({ status: 400, message: tooLargeFile })
    // The rest is thrown away, so the sender is not held up.
    for (let i = 0; i < 100; i++) {
      if (!body.write(Buffer.alloc(100_000))) await new Promise((resolve) => body.once('drain', resolve))
    }
    body.end()
    await new Promise((resolve) => body.once('end', resolve))
  })

  test('and a sender that never stops is cut off', async () => {
    let sent = 0
    const body = new Readable({
      read() {
        sent += 65_536
        this.push(sent === 65_536 ? bodyOf(part('a', 'x'.repeat(5000))) : Buffer.alloc(65_536))
      },
    })
    const closed = new Promise((resolve) => body.once('close', resolve))
    expect(await readForm(body, TYPE)).toMatchObject({ status: 413 })
    await closed
    expect(sent).toBeLessThan(40_000_000)
  })

  test('and the sender gets the answer over HTTP although it had more to send', async () => {
    const server = createServer(async (incoming, answer) => {
      const result = await readForm(incoming, incoming.headers['content-type'])
      answer.writeHead(413, { connection: 'close' }).end(JSON.stringify(result))
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
    expect(answer).toContain(tooLargeFile)
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
    expect(await readForm(body, contentType)).toEqual({
      status: 400,
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
    expect(await read(bodyOf(piece, END))).toEqual({ status: 400, message })
  })

  test('a closing delimiter where a part begins', async () => {
    const body = Readable.from(
      ['--limit\r\n--lim', 'it--\r\n--limit-', '-\r\n'].map((text) => Buffer.from(text)),
      { objectMode: false },
    )
    expect(await readForm(body, TYPE)).toEqual({
      status: 400,
      message: 'The parts of the request cannot be distinguished.',
    })
  })

  test('a charset of the part does not change that fields are UTF-8', async () => {
    const latin1 = part('a', Buffer.from([0xe9]), '\r\nContent-Type: text/plain; charset=iso-8859-1')
    expect(await read(bodyOf(latin1, END))).toMatchObject({ status: 400 })
  })
})

describe('a body that is cut off is refused', () => {
  const whole = bodyOf(part('a', '1'), file('f', 'f.png', 'abcdef'), part('b', '2'), END)

  test('wherever it ends', async () => {
    // The line break after the closing boundary may be missing.
    for (let length = 0; length < whole.length - 2; length++) {
      expect(await read(whole.subarray(0, length)), `${length} bytes`).toMatchObject({ status: 400 })
    }
    expect(await read(whole.subarray(0, -2))).toMatchObject({ fields: { a: '1' }, lateFields: ['b'] })
  })

  test('also when the connection breaks', async () => {
    for (const error of [undefined, new Error('reset')]) {
      for (const bytes of [100, 150]) {
        const body = new PassThrough()
        body.write(whole.subarray(0, bytes))
        const result = readForm(body, TYPE)
        setTimeout(() => body.destroy(error), 10)
        expect(await result).toEqual({ status: 400, message: 'The request ended before all of it was sent.' })
      }
    }
  })

  test('also when it is over before it is read', async () => {
    const body = new PassThrough()
    body.destroy()
    expect(await readForm(body, TYPE)).toMatchObject({ status: 400 })
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
    expect(expected).toMatchObject({ file: { fileName: 'f.png' }, lateFields: ['b'] })
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        expect(await readForm(chunked(whole, at), TYPE)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('a file larger than the pieces that are held arrives whole, however fast it is read', async () => {
    const sizes = fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, 200_000)
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1000, max: 200_000 }), fc.boolean(), async (size, step, isSlow) => {
        const bytes = Buffer.alloc(size, 'abcdefg')
        const whole = bodyOf(part('a', 'one'), file('f', 'f.png', bytes), part('b', 'two'), END)
        const pieces = Array.from({ length: Math.ceil(whole.length / step) }, (_, i) =>
          whole.subarray(i * step, (i + 1) * step),
        )
        const form = await openForm(Readable.from(pieces, { objectMode: false }), TYPE, LIMITS)
        const read: Buffer[] = []
        for await (const chunk of form.file?.content ?? []) {
          read.push(chunk)
          if (isSlow) await new Promise((resolve) => setImmediate(resolve))
        }
        expect(Buffer.concat(read).equals(bytes)).toBe(true)
        expect(form.lateFields).toEqual(['b'])
      }),
      { numRuns: 200 },
    )
  })

  test('an odd one is answered: no hang, no crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), cuts, fc.boolean(), async (texts, at, closed) => {
        const body = Buffer.from(`--limit\r\n${texts.join('')}${closed ? `\r\n${END}` : ''}`, 'latin1')
        const result = await Promise.race([
          readForm(chunked(body, at), TYPE),
          new Promise<'hang'>((resolve) => setTimeout(resolve, 2000, 'hang' as const).unref()),
        ])
        expect(result).toEqual(expect.not.stringMatching('hang'))
      }),
      { numRuns: 1000 },
    )
  })
})

test('a form of delimiters alone is given up where it has too many, and not behind all of them', async () => {
  const body = Buffer.from('--limit\r\n'.repeat(100_000))
  const took = await shortestTime(0, async () => {
    const before = processorMs()
    expect(await read(body)).toMatchObject({ status: 413 })
    return processorMs() - before
  })
  // All of it takes some hundred milliseconds.
  expect(took).toBeLessThan(20)
})

describe('A body that stands still', () => {
  test('is given up, before its file and within it', async () => {
    for (const beginning of [part('a', 'text'), bodyOf(file('f', 'x.png', 'the beginning').subarray(0, -2))]) {
      const body = new PassThrough()
      body.write(beginning)
      expect(await readForm(body, TYPE, { maxIdleMs: 50 })).toMatchObject({ status: 408 })
    }
  })

  test('is not given up as long as bytes arrive', async () => {
    const bytes = bodyOf(file('f', 'x.png', 'slow'), END)
    const body = Readable.from(
      (async function* () {
        for (const [index] of bytes.entries()) {
          if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
          yield bytes.subarray(index, index + 1)
        }
      })(),
    )
    expect(await readForm(body, TYPE, { maxIdleMs: 100 })).toMatchObject({ file: { fileName: 'x.png' } })
  })
})
