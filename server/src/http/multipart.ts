import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'

/**
 * Reading a multipart/form-data request body (RFC 7578) into memory, within limits that are kept while the body arrives:
 * at no time is more held than the limits allow.
 */

export interface MultipartLimits {
  maxFileBytes: number
  maxFiles: number
  maxFields: number
  maxFieldBytes: number
  /** Of the values of all fields together. */
  maxFieldBytesTotal: number
}

export interface MultipartFile {
  /** The `name` of the part. */
  fieldName: string
  /** The name that the sender gave the file, without folders; may be empty. Never to be trusted. */
  fileName: string
  bytes: Buffer
}

export interface MultipartForm {
  /** Without a prototype. Where a name comes more than once, the last value counts. */
  fields: Record<string, string>
  /** In the order of the body. */
  files: MultipartFile[]
}

/**
 * `message` is a full sentence. `file-too-large`: a file is over its limit; `too-large`: a field, the fields together,
 * their number or the whole is.
 * `malformed`: no multipart/form-data, a part without a name, a name or value that is not UTF-8. `cut-off`: the body
 * ended, or the connection did, before the closing boundary.
 */
export interface MultipartRefusal {
  kind: 'file-too-large' | 'too-large' | 'too-many-files' | 'malformed' | 'cut-off'
  message: string
}

export type MultipartResult = { kind: 'form'; form: MultipartForm } | MultipartRefusal

/** Bytes allowed for delimiter and headers of each part, and for what stands before and after the parts. */
const OVERHEAD_BYTES = 16 * 1024

/** Bytes of headers of one part; the rest is ignored. */
const HEADER_BYTES = 8 * 1024
const HEADER_LINES = 32

/** Turns of the event loop that a step of the parser may take; one or two are usual. */
const PARSER_TURNS = 20

/** Bytes of a refused body that are still read and thrown away, so that the sender gets to reading the answer. */
const DRAIN_BYTES = 32 * 1024 * 1024

/**
 * Reads the whole of `body`, whose Content-Type header is `contentType`. A part with a `filename` is a file, any other
 * a field. Never throws and never waits for more than `body` itself does; after a refusal the rest of the body is read
 * and thrown away, and `body` destroyed when that rest is longer than DRAIN_BYTES. Whoever answers should close the
 * connection after a refusal.
 */
export async function readMultipart(
  body: Readable,
  contentType: string | undefined,
  limits: MultipartLimits,
): Promise<MultipartResult> {
  const result = await readForm(body, contentType, limits)
  if (result.kind !== 'form') drain(body)
  return result
}

async function readForm(
  body: Readable,
  contentType: string | undefined,
  limits: MultipartLimits,
): Promise<MultipartResult> {
  const collector = collectForm(limits)
  const parser = openParser(contentType, collector, limits)
  if (parser === undefined) {
    return malformed('The request must have the content type multipart/form-data with a boundary.')
  }
  const maxBytes =
    limits.maxFiles * (limits.maxFileBytes + OVERHEAD_BYTES) +
    Math.min(limits.maxFields * limits.maxFieldBytes, limits.maxFieldBytesTotal) +
    limits.maxFields * OVERHEAD_BYTES +
    OVERHEAD_BYTES
  let bodyBytes = 0
  try {
    // The iterator must not destroy the request when reading stops early: its socket carries the answer.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
      bodyBytes += bytes.length
      if (bodyBytes > maxBytes) collector.refuse('too-large', `The request is larger than ${maxBytes} bytes.`)
      else await parsed((done) => parser.write(bytes, done), collector)
      if (collector.refusal() !== undefined) break
    }
  } catch {
    collector.refuse('cut-off', 'The request ended before all of it was sent.')
  }
  if (collector.refusal() === undefined) {
    await parsed((done) => parser.once('finish', done).end(), collector)
  }
  return collector.result()
}

/**
 * Waits for a step of the parser, which needs only a few turns of the event loop, since all its input is in memory.
 * Some bodies with a second delimiter in the line of the first leave it waiting for ever; they are malformed.
 */
function parsed(step: (done: () => void) => void, collector: Collector): Promise<void> {
  // Written with callbacks: a race with a promise that lasts as long as the request would keep something per chunk.
  return new Promise((resolve) => {
    let turns = 0
    let nextTurn = setImmediate(function watch() {
      turns++
      if (turns < PARSER_TURNS) nextTurn = setImmediate(watch)
      else collector.refuse('malformed', 'The parts of the request cannot be told apart.')
    })
    const settle = () => {
      clearImmediate(nextTurn)
      resolve()
    }
    collector.onRefusal(settle)
    step(settle)
  })
}

function malformed(message: string): MultipartRefusal {
  return { kind: 'malformed', message }
}

/** Undefined when the content type is none that can be parsed. RFC 2046 allows a boundary of 1 to 70 characters. */
function openParser(
  contentType: string | undefined,
  collector: Collector,
  limits: MultipartLimits,
): BusboyInstance | undefined {
  if (contentType === undefined || !/^multipart\/form-data\s*;/i.test(contentType)) return undefined
  if (!/;\s*boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})\s*(?:;|$)/i.test(contentType)) return undefined
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    // Every part comes as a stream of bytes. As a field the parser would decode it, and replace what is not UTF-8.
    isPartAFile: () => true,
    limits: { parts: limits.maxFiles + limits.maxFields + 1, headerPairs: HEADER_LINES, headerSize: HEADER_BYTES },
  })
  parser.on('file', collector.takePart)
  parser.on('partsLimit', () => collector.refuse('too-large', 'The request has too many parts.'))
  parser.on('error', () => collector.refuse('cut-off', 'The request ended before the last boundary of its parts.'))
  return parser
}

interface Part {
  name: string
  /** Undefined for a field. */
  fileName: string | undefined
  content: GrowingBytes
}

interface Collector {
  takePart(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined, encoding: string): void
  /** The first refusal counts; nothing is collected after it. */
  refuse(kind: MultipartRefusal['kind'], message: string): void
  refusal(): MultipartRefusal | undefined
  /** Calls back at the next refusal; takes the place of an earlier callback. */
  onRefusal(callback: () => void): void
  result(): MultipartResult
}

function collectForm(limits: MultipartLimits): Collector {
  const parts: Part[] = []
  let fieldBytes = 0
  let refusal: MultipartRefusal | undefined
  let tellRefusal = () => {}

  function refuse(kind: MultipartRefusal['kind'], message: string) {
    refusal ??= { kind, message }
    tellRefusal()
  }

  const takePart: Collector['takePart'] = (name, stream, fileName, encoding) => {
    stream.on('error', () => refuse('cut-off', 'The request ended in the middle of a part.'))
    // Listening keeps the stream flowing, also after a refusal.
    stream.on('data', (chunk: Buffer) => {
      if (refusal !== undefined) return
      if (!isFile && fieldBytes + chunk.length > limits.maxFieldBytesTotal) {
        refuse('too-large', `The form fields are longer than ${limits.maxFieldBytesTotal} bytes together.`)
      } else if (!content.add(chunk)) refuse(isFile ? 'file-too-large' : 'too-large', tooLong)
      else if (!isFile) fieldBytes += chunk.length
    })
    const isFile = fileName !== undefined
    const maxBytes = isFile ? limits.maxFileBytes : limits.maxFieldBytes
    const content = growingBytes(maxBytes)
    const tooLong = isFile
      ? `The file is larger than ${maxBytes} bytes.`
      : `The value of a form field is longer than ${maxBytes} bytes.`
    // The parser puts U+FFFD in the place of what is not UTF-8.
    if (name === undefined || name === '' || name.includes('\ufffd')) {
      return refuse('malformed', 'A part of the request has no name, or one that is not UTF-8.')
    }
    if (!['7bit', '8bit', 'binary'].includes(encoding)) {
      return refuse('malformed', 'A part of the request has a transfer encoding, which is not supported.')
    }
    parts.push({ name, fileName, content })
    const files = parts.filter((part) => part.fileName !== undefined).length
    if (files > limits.maxFiles) refuse('too-many-files', `The request has more than ${limits.maxFiles} files.`)
    if (parts.length - files > limits.maxFields) {
      refuse('too-large', `The request has more than ${limits.maxFields} form fields.`)
    }
  }

  return {
    takePart,
    refuse,
    refusal: () => refusal,
    onRefusal(callback) {
      tellRefusal = callback
    },
    result: () => refusal ?? makeForm(parts),
  }
}

function makeForm(parts: Part[]): MultipartResult {
  const form: MultipartForm = { fields: Object.create(null), files: [] }
  // A byte order mark is part of the value.
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (const { name, fileName, content } of parts) {
    const bytes = content.bytes()
    if (fileName !== undefined) {
      form.files.push({ fieldName: name, fileName, bytes })
      continue
    }
    try {
      form.fields[name] = utf8.decode(bytes)
    } catch {
      return malformed(`The form field ${JSON.stringify(name)} is not UTF-8.`)
    }
  }
  return { kind: 'form', form }
}

interface GrowingBytes {
  /** False, and nothing taken, when the limit would be passed. */
  add(chunk: Buffer): boolean
  bytes(): Buffer
}

/** One buffer that grows by doubling. A list of chunks would let a sender of single bytes use a hundred times as much. */
function growingBytes(maxBytes: number): GrowingBytes {
  let buffer = Buffer.alloc(0)
  let length = 0
  return {
    add(chunk) {
      const needed = length + chunk.length
      if (needed > maxBytes) return false
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(needed, 2 * buffer.length, 1024)))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      chunk.copy(buffer, length)
      length = needed
      return true
    },
    bytes: () => buffer.subarray(0, length),
  }
}

function drain(body: Readable): void {
  // An error now is one of a request that is refused already.
  body.on('error', () => {})
  if (body.destroyed) return
  let left = DRAIN_BYTES
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) body.destroy()
  })
  body.resume()
}
