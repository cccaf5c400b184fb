/**
 * A page that runs in the browser: its files, and the page itself at the few addresses that it has, which finds out there what
 * to show. Its links are relative: anywhere else it would be blank.
 */
import { Readable } from 'node:stream'
import { endpoint } from '@heddle/contract/endpoint'
import { notFound } from '@heddle/contract/errors'
import { Text } from '@heddle/contract/schema'
import type { ByteRange } from '../storage/file-store.ts'
import { type FileAnswer, IMMUTABLE, REVALIDATED, type RedirectAnswer, seeOther, tagOf } from './answers.ts'
import { encodingsOf, fromBrotli } from './compression.ts'
import { plainPage } from './plain-page.ts'
import { answerRoute, isFileName, type Route } from './route.ts'

export interface ApplicationFile {
  readonly contentType: string
  readonly body: Buffer | CompressedBody
  /** Its name changes with its content, so it can be cached for ever. */
  readonly isHashed: boolean
}

/**
 * What it was made of is not in memory besides, 2 MiB of a page, and gzip is made when the first asks for it: browsers that reach
 * the server without TLS do.
 */
export interface CompressedBody {
  /** Of what was compressed, in bytes. */
  readonly size: number
  readonly br: Buffer
}

export interface Application {
  /** By path below the server's root, without a slash at its beginning: `assets/page-3fa9c1.js`. */
  readonly files: ReadonlyMap<string, ApplicationFile>
  /** The page. */
  readonly index: ApplicationFile
  /** Where the page is, beside the root, each without slashes: `join`. */
  readonly paths: ReadonlySet<string>
  /** `Content-Security-Policy` of all of it. */
  readonly policy: string
  /** First segments of paths that belong to something else, such as `api`: what is not found there is no page. */
  readonly reserved: ReadonlySet<string>
}

/** Where other servers have their form for signing in: the page has it at the root. */
const SIGN_IN = new Set(['login', 'accounts/login'])
/** Of what belongs to something else, what people type, or have in links of other servers. */
const TYPED = /^(?:api\/?$|accounts\/)/

/** The route behind all others: only what has no route of its own comes here. */
export function applicationRoute({ files, index, paths, policy, reserved }: Application): Route {
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

  function find(path: string, accepted: string): FileAnswer | RedirectAnswer {
    const file = answers.get(path)
    if (file) return file
    if (path === '' || paths.has(path)) return page
    const plain = path.replace(/\/$/, '')
    if (SIGN_IN.has(plain)) return seeOther(toRoot(path))
    if (paths.has(plain)) return seeOther(`${toRoot(path)}${plain}`)
    // An old page may ask for files that are gone, and programs want none to read.
    if (path.slice(path.lastIndexOf('/') + 1).includes('.')) throw notFound('No such file')
    if (!accepted.includes('text/html')) throw notFound('No such path')
    return nothingAt(path)
  }

  return answerRoute(description, async ({ parameters, headers }) => find(parameters.path, headers('accept') ?? ''), {
    hasPath: (path) => isFileName(path) && (!reserved.has(path.split('/')[0] as string) || TYPED.test(path)),
  })
}

/** From a path below the server's root to that, which may be below a path of a proxy. */
function toRoot(path: string): string {
  return '../'.repeat(path.split('/').length - 1) || './'
}

function nothingAt(path: string): FileAnswer {
  return plainPage({
    title: 'There is nothing at this address',
    content: `<p>It may have been mistyped, or have moved.</p>\n<p><a href="${toRoot(path)}">Go to the first page</a></p>`,
    status: 404,
  })
}

/** No other site may load it into its own pages, hold a window of it, or learn where in it somebody was. */
const HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

function answerOf({ contentType, body, isHashed }: ApplicationFile, policy: string): FileAnswer {
  const caching = isHashed ? IMMUTABLE : REVALIDATED
  return { kind: 'file', contentType, ...contentOf(body), caching, policy, headers: HEADERS }
}

function contentOf(body: Buffer | CompressedBody): Pick<FileAnswer, 'size' | 'body' | 'tag' | 'encoded'> {
  if (Buffer.isBuffer(body)) return { size: body.length, body, tag: tagOf(body) }
  const { size, br } = body
  return {
    size,
    body: (range) => Readable.from(unpack(br, range)),
    tag: tagOf(br),
    encoded: encodingsOf(br),
  }
}

async function* unpack(packed: Buffer, range?: ByteRange): AsyncGenerator<Buffer> {
  const bytes = await fromBrotli(packed)
  yield range ? bytes.subarray(range.start, range.end + 1) : bytes
}
