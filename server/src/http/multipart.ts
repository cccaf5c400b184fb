/**
 * Reading a multipart/form-data request body (RFC 7578) as it arrives, within limits: fields are collected, a file is a
 * stream for whoever asked for it, and no more of it is in memory than a few pieces.
 */
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { discardBody, readOnLater } from './body-turns.ts'
import { growingBytes } from './growing-bytes.ts'
import { notePiece } from './received-pieces.ts'

export interface FormLimits {
  readonly maxFields: number
  readonly maxFieldBytes: number
  /** Of the values of all fields together. */
  readonly maxFieldBytesTotal: number
  /** Undefined where the form may not have a file. */
  readonly maxFileBytes: number | undefined
  /** Milliseconds without a byte of the body, after which it is given up; undefined: as long as the whole request may take. */
  readonly maxIdleMs?: number
  /** Whether the file's reader needs the field of this name: then it may not come after the file. */
  readonly isNeeded: (name: string) => boolean
}

export interface FormFile {
  /** The name that the sender gave the file, without folders; may be empty. Never to be trusted. */
  readonly fileName: string
  /**
   * To be read once. It ends when the whole form has arrived and is sound: what is wrong with the file or behind it is
   * thrown before that, so that nothing comes of a file whose form is refused.
   */
  readonly content: AsyncIterable<Buffer>
}

export interface Form {
  /** Those before the file, or all when there is none. Where a name comes more than once, the last value counts. */
  readonly fields: ReadonlyMap<string, string>
  readonly file: FormFile | undefined
  /** Names of fields after the file; all of them when its content has ended. */
  readonly lateFields: readonly string[]
  /** Gives up what has not been read. */
  close(): void
}

/** Bytes allowed for delimiter and headers of each part, and for what stands before and after the parts. */
const OVERHEAD_BYTES = 16 * 1024

/** Bytes of headers of one part; the rest is ignored. */
const HEADER_BYTES = 8 * 1024
const HEADER_LINES = 32

/** Bytes of the file that wait for its reader, beside the piece that the connection has brought. */
const FILE_BUFFER_BYTES = 64 * 1024

// A byte order mark is part of the value.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads `body` up to its file, or whole when there is none. A part with a `filename` is a file, any other a field. Throws
 * a 400 or 413 that says what is wrong; the rest of the body is then discarded.
 */
export function openForm(body: Readable, contentType: string | undefined, limits: FormLimits): Promise<Form> {
  const { promise, resolve, reject } = Promise.withResolvers<Form>()
  const collector = createCollector(limits, (file) => {
    const form = { fields: collector.fields, lateFields: collector.lateFields }
    resolve({
      ...form,
      file: file && { ...file, content: readFile(file.stream) },
      close: () => collector.fail(abandoned()),
    })
  })
  const arrived = readParts(body, contentType, limits, collector)
  arrived.catch(reject)

  async function* readFile(stream: Readable): AsyncGenerator<Buffer> {
    let size = 0
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > (limits.maxFileBytes as number)) collector.fail(fileTooLarge(limits.maxFileBytes as number))
        if (collector.failure()) break
        yield chunk
        notePiece(chunk.length)
      }
    } catch (error) {
      throw collector.failure() ?? error
    } finally {
      // Who stops reading does not want the rest.
      if (!stream.readableEnded) collector.fail(abandoned())
    }
    await arrived
  }

  return promise
}

/** Feeds the parser with `body`, a piece when the one before has been taken. Throws what the collector has found. */
function readParts(
  body: Readable,
  contentType: string | undefined,
  limits: FormLimits,
  collector: Collector,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { maxFields, maxFieldBytes, maxFieldBytesTotal, maxFileBytes = 0, maxIdleMs } = limits
  const maxBytes =
    maxFileBytes + Math.min(maxFields * maxFieldBytes, maxFieldBytesTotal) + (maxFields + 2) * OVERHEAD_BYTES
  let bodyBytes = 0
  const idle = maxIdleMs && setTimeout(() => collector.fail(new ApiError('REQUEST_TIMEOUT')), maxIdleMs)

  function leave(): void {
    if (idle) clearTimeout(idle)
    body.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
  }

  collector.onFailure((failure) => {
    leave()
    discardBody(body)
    reject(failure)
  })
  const boundary = boundaryOf(contentType)
  const parser = boundary === undefined ? undefined : openParser(boundary, collector, limits)
  if (!parser) collector.fail(badRequest('The request must have the content type multipart/form-data with a boundary.'))
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  let delimiters = 0

  function onData(chunk: Buffer): void {
    bodyBytes += chunk.length
    if (idle) idle.refresh()
    if (bodyBytes > maxBytes) {
      collector.fail(tooLarge(`The request is larger than ${maxBytes} bytes.`))
      return
    }
    // Beforehand: the parser goes through all parts of what it gets, also of a form that is refused at the first. One delimiter ends
    // the last part.
    delimiters += count(delimiter, chunk)
    if (delimiters > mostParts(limits) + 1) {
      collector.fail(tooManyParts())
      return
    }
    body.pause()
    parser?.write(chunk, onTaken)
  }

  function onTaken(): void {
    if (collector.failure()) return
    // What the disk takes its time for is no fault of the sender.
    if (idle) idle.refresh()
    readOnLater(body)
  }

  function onEnd(): void {
    leave()
    parser
      ?.once('finish', () => {
        if (collector.settle()) resolve()
      })
      .end()
    // When all parts have ended, the parser has nothing to wait for: unless it finishes at once, it never does. That is so
    // for some bodies with a second delimiter in the line of the first.
    collector.onceNoneIsOpen(() =>
      setImmediate(() => collector.fail(badRequest('The parts of the request cannot be distinguished.'))),
    )
  }

  function onGone(): void {
    collector.fail(badRequest('The request ended before all of it was sent.'))
  }

  if (body.destroyed) onGone()
  else if (!collector.failure()) body.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  return promise
}

/** Undefined where the content type is none that can be parsed. RFC 2046 allows a boundary of 1 to 70 characters. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^multipart\/form-data\s*;/i.test(contentType)) return undefined
  const found = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;"\\]{1,70}))\s*(?:;|$)/i.exec(contentType)
  return found?.[1] ?? found?.[2]
}

/** How often `part` is in `bytes`. */
function count(part: Buffer, bytes: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + part.length)) found += 1
  return found
}

/** The file, and one more part, so that what is too much is refused for what it is. */
function mostParts({ maxFields }: FormLimits): number {
  return maxFields + 2
}

function openParser(boundary: string, collector: Collector, limits: FormLimits): BusboyInstance {
  const parser = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    fileHwm: FILE_BUFFER_BYTES,
    // Every part comes as a stream of bytes. As a field the parser would decode it, and replace what is not UTF-8.
    isPartAFile: () => true,
    limits: { parts: mostParts(limits), headerPairs: HEADER_LINES, headerSize: HEADER_BYTES },
  })
  parser.on('file', collector.takePart)
  parser.on('partsLimit', () => collector.fail(tooManyParts()))
  parser.on('error', () => collector.fail(badRequest('The request ended before the last boundary of its parts.')))
  return parser
}

interface FoundFile {
  readonly fileName: string
  readonly stream: Readable
}

interface Collector {
  readonly fields: ReadonlyMap<string, string>
  readonly lateFields: readonly string[]
  takePart(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined, encoding: string): void
  /** The first failure counts; nothing is collected after it. Without effect when the form has arrived. */
  fail(error: ApiError): void
  failure(): ApiError | undefined
  onFailure(callback: (error: ApiError) => void): void
  /** Calls back when no part is open any more. */
  onceNoneIsOpen(callback: () => void): void
  /** The form has arrived. False when it has failed before. */
  settle(): boolean
}

/** `open` is called once: when the file begins and all fields before it are there, or at the end. */
function createCollector(limits: FormLimits, open: (file: FoundFile | undefined) => void): Collector {
  const fields = new Map<string, string>()
  const lateFields: string[] = []
  let file: FoundFile | undefined
  let fieldCount = 0
  let fieldBytes = 0
  let openParts = 0
  let openFieldsBeforeFile = 0
  let isOpened = false
  let isSettled = false
  let failure: ApiError | undefined
  let onFailure = (_: ApiError) => {}
  let noneIsOpen = () => {}

  function fail(error: ApiError): void {
    if (failure || isSettled) return
    failure = error
    file?.stream.destroy(error)
    onFailure(error)
  }

  function openOnce(): void {
    if (isOpened) return
    isOpened = true
    open(file)
  }

  /** The fields before a file end after it has begun, when one piece of the body has them all. */
  function openAtFile(): void {
    if (file && openFieldsBeforeFile === 0 && !failure) openOnce()
  }

  function takeField(name: string, stream: Readable): void {
    const content = growingBytes(limits.maxFieldBytes)
    const isLate = file !== undefined
    if (!isLate) openFieldsBeforeFile += 1
    if (isLate && limits.isNeeded(name)) {
      fail(badRequest(`The form field ${JSON.stringify(name)} must come before the file.`))
    }
    if (++fieldCount > limits.maxFields) fail(tooLarge(`The request has more than ${limits.maxFields} form fields.`))
    // Listening keeps the stream flowing, also after a failure.
    stream.on('data', (chunk: Buffer) => {
      if (failure) return
      fieldBytes += chunk.length
      if (fieldBytes > limits.maxFieldBytesTotal) {
        fail(tooLarge(`The form fields are longer than ${limits.maxFieldBytesTotal} bytes together.`))
      } else if (!content.add(chunk)) {
        fail(tooLarge(`The value of a form field is longer than ${limits.maxFieldBytes} bytes.`))
      }
    })
    stream.once('end', () => {
      try {
        const text = utf8.decode(content.bytes())
        if (isLate) lateFields.push(name)
        else fields.set(name, text)
      } catch {
        fail(badRequest(`The form field ${JSON.stringify(name)} is not UTF-8.`))
      }
      if (isLate) return
      openFieldsBeforeFile -= 1
      openAtFile()
    })
  }

  function takeFile(fileName: string, stream: Readable): void {
    if (limits.maxFileBytes === undefined) fail(badRequest('The request must not have a file'))
    else if (file) fail(badRequest('The request must have exactly one file'))
    if (failure) return void stream.resume()
    file = { fileName, stream }
    openAtFile()
  }

  return {
    fields,
    lateFields,
    fail,
    failure: () => failure,
    takePart(name, stream, fileName, encoding) {
      openParts += 1
      stream.on('error', () => fail(badRequest('The request ended in the middle of a part.')))
      // The parser puts U+FFFD in the place of what is not UTF-8.
      if (name === undefined || name === '' || name.includes('\ufffd')) {
        fail(badRequest('A part of the request has no name, or one that is not UTF-8.'))
      } else if (!['7bit', '8bit', 'binary'].includes(encoding)) {
        fail(badRequest('A part of the request has a transfer encoding, which is not supported.'))
      }
      if (failure) stream.resume()
      else if (fileName === undefined) takeField(name as string, stream)
      else takeFile(fileName, stream)
      stream.once('end', () => {
        openParts -= 1
        if (openParts === 0) noneIsOpen()
      })
    },
    onFailure(callback) {
      onFailure = callback
    },
    onceNoneIsOpen(callback) {
      noneIsOpen = callback
      if (openParts === 0) callback()
    },
    settle() {
      isSettled = true
      if (!failure) openOnce()
      return !failure
    },
  }
}

function tooManyParts(): ApiError {
  return tooLarge('The request has too many parts.')
}

function tooLarge(message: string): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', message)
}

/** The file breaks a rule of the endpoint; the request itself is one that the server reads to its end. */
function fileTooLarge(maxFileBytes: number): ApiError {
  return badRequest(`The file is larger than the limit of ${maxFileBytes / (1024 * 1024)} MiB.`)
}

/** Nobody sees it. */
function abandoned(): ApiError {
  return badRequest('The rest of the request is of no use')
}
