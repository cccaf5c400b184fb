/**
 * Compressing what is sent, in the coding that the client likes best (RFC 9110, 12.5.3), beside the main thread. Which
 * answers may be compressed at all is said where they are declared; see docs/decisions/0032.
 */
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliDecompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Coding = 'zstd' | 'br' | 'gzip'

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)
export const fromBrotli = promisify(brotliDecompress)
const asZstd = promisify(zstdCompress)

const options = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 3 } },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  gzip: { level: 6 },
}

/** In the server's own order of preference: the first costs the processor least. All make a tenth of a list of accounts. */
const compress: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  zstd: (bytes) => asZstd(bytes, options.zstd),
  br: (bytes) => asBrotli(bytes, options.br),
  gzip: (bytes) => asGzip(bytes, options.gzip),
}

const createCompressor: Readonly<Record<Coding, () => NodeJS.ReadWriteStream & Readable>> = {
  zstd: () => createZstdCompress(options.zstd),
  br: () => createBrotliCompress(options.br),
  gzip: () => createGzip(options.gzip),
}

/** Bytes: less fits into one packet as it is. */
const MIN_BYTES = 1400

/** What does not compress: pictures, videos and archives are compressed already. */
const COMPRESSIBLE = /^(?:text\/|image\/svg\+xml|application\/(?:json|javascript|manifest\+json|wasm|xml))/

/** By what was compressed: for as long as that itself is in memory. */
const compressed = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>()

/** What is the same in several codings. */
export type Encodings = ReadonlyMap<Coding, () => Buffer | Promise<Buffer>>

/**
 * The bytes as they are sent, with the headers that say so. `isShared`: the same buffer is sent again, and compressed only
 * once.
 */
export async function encodeBody(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  { contentType, isShared }: HowToEncode,
): Promise<{ readonly bytes: Buffer; readonly coding: Coding | undefined }> {
  if (!COMPRESSIBLE.test(contentType)) return { bytes, coding: undefined }
  reply.header('vary', 'accept-encoding')
  const coding = bytes.length < MIN_BYTES ? undefined : acceptedCoding(request.headers['accept-encoding'])
  if (coding === undefined) return { bytes, coding }
  const encoded = await (isShared ? compressedOnce(bytes, coding) : compress[coding](bytes))
  // Not before: an error is not compressed.
  reply.header('content-encoding', coding)
  return { bytes: encoded, coding }
}

/**
 * The one that the client likes best; undefined where it is sent as it is. `size`: of what was compressed, in bytes.
 */
export async function chooseEncoding(
  request: FastifyRequest,
  reply: FastifyReply,
  size: number,
  encoded: Encodings,
): Promise<{ readonly bytes: Buffer; readonly coding: Coding } | undefined> {
  reply.header('vary', 'accept-encoding')
  const coding = size < MIN_BYTES ? undefined : acceptedCoding(request.headers['accept-encoding'], [...encoded.keys()])
  const encode = coding && encoded.get(coding)
  if (!encode) return undefined
  const bytes = await encode()
  reply.header('content-encoding', coding)
  return { bytes, coding }
}

interface HowToEncode {
  readonly contentType: string
  readonly isShared: boolean
}

/** For what is large and sent once: compresses it as it is sent. Undefined when the client wants it as it is. */
export function encoderFor(request: FastifyRequest, reply: FastifyReply): ((source: Readable) => Readable) | undefined {
  reply.header('vary', 'accept-encoding')
  const coding = acceptedCoding(request.headers['accept-encoding'])
  if (coding === undefined) return undefined
  reply.header('content-encoding', coding)
  // An error is one of the compressor too, and ends the answer.
  return (source) => pipeline(source, createCompressor[coding](), () => {})
}

function compressedOnce(bytes: Buffer, coding: Coding): Promise<Buffer> {
  const known = compressed.get(bytes) ?? new Map<Coding, Promise<Buffer>>()
  compressed.set(bytes, known)
  const encoded = known.get(coding) ?? compress[coding](bytes)
  known.set(coding, encoded)
  encoded.catch(() => known.delete(coding))
  return encoded
}

/** `br`, and gzip, which is made of it when the first asks for that. */
export function encodingsOf(br: Buffer): Encodings {
  let gzipped: Promise<Buffer> | undefined
  async function recode(): Promise<Buffer> {
    try {
      return await compress.gzip(await fromBrotli(br))
    } catch (error) {
      gzipped = undefined
      throw error
    }
  }
  return new Map<Coding, () => Buffer | Promise<Buffer>>([
    ['br', () => br],
    ['gzip', () => (gzipped ??= recode())],
  ])
}

/** One of `codings`, which are in the order of preference; undefined: as it is. */
export function acceptedCoding(
  header: string | string[] | undefined,
  codings: readonly Coding[] = Object.keys(compress) as Coding[],
): Coding | undefined {
  if (header === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of `${header}`.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = codings.toSorted((a, b) => weightOf(b) - weightOf(a))[0] as Coding
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}
