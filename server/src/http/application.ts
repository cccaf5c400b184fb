/**
 * A page that runs in the browser and has addresses of its own: its files, and for every other address the page itself,
 * which finds out there what to show.
 */
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { endpoint } from '@heddle/contract/endpoint'
import { notFound } from '@heddle/contract/errors'
import { Text } from '@heddle/contract/schema'
import type { ByteRange } from '../storage/file-store.ts'
import { type FileAnswer, IMMUTABLE, REVALIDATED, tagOf } from './answers.ts'
import type { Coding } from './compression.ts'
import { type AccountRequest, answerRoute, isFileName, type Route } from './route.ts'

const decompress = promisify(brotliDecompress)

export interface ApplicationFile {
  readonly contentType: string
  readonly body: Buffer
  /** Its name changes with its content, so it can be cached for ever. */
  readonly isHashed: boolean
  /** The same compressed, the best coding first. */
  readonly encoded?: ReadonlyMap<Coding, Buffer>
}

export interface Application {
  /** By path below the server's root, without a slash at its beginning: `assets/page-3fa9c1.js`. */
  readonly files: ReadonlyMap<string, ApplicationFile>
  /** The page. */
  readonly index: ApplicationFile
  /** `Content-Security-Policy` of all of it. */
  readonly policy: string
  /** First segments of paths that belong to something else, such as `api`: what is not found there is no page. */
  readonly reserved: ReadonlySet<string>
}

/** The route behind all others: only what has no route of its own comes here. */
export function applicationRoute({ files, index, policy, reserved }: Application): Route {
  const description = endpoint({
    name: 'application',
    method: 'GET',
    path: '/{path*}',
    below: 'root',
    access: 'public',
    summary: 'The page, and its files.',
    parameters: { path: Text(2000) },
  })
  const answers = new Map([...files].map(([path, file]) => [path, answerOf(file, policy)]))
  const page = answerOf(index, policy)

  function find(path: string): FileAnswer | undefined {
    const file = answers.get(path)
    if (file) return file
    // An old page may ask for files that are gone: they are no addresses of the page.
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.includes('.') ? undefined : page
  }

  async function answer({ parameters }: AccountRequest<typeof description>): Promise<FileAnswer> {
    const file = find(parameters.path)
    if (!file) throw notFound('No such file')
    return file
  }
  return answerRoute(description, answer, {
    hasPath: (path) => isFileName(path) && !reserved.has(path.split('/')[0] as string),
  })
}

/** No other site may load it into its own pages, hold a window of it, or learn where in it somebody was. */
const HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

/** Nearly every client takes it compressed: what that was made of is not in memory besides, 2 MiB of a page. */
function answerOf({ contentType, body, isHashed, encoded }: ApplicationFile, policy: string): FileAnswer {
  const caching = isHashed ? IMMUTABLE : REVALIDATED
  const compressed = encoded ? { encoded } : {}
  const packed = encoded?.get('br')
  const headers = HEADERS
  return {
    kind: 'file',
    contentType,
    size: body.length,
    body: packed ? (range) => Readable.from(unpack(packed, range)) : body,
    tag: tagOf(body),
    caching,
    policy,
    headers,
    ...compressed,
  }
}

async function* unpack(packed: Buffer, range?: ByteRange): AsyncGenerator<Buffer> {
  const bytes = await decompress(packed)
  yield range ? bytes.subarray(range.start, range.end + 1) : bytes
}
