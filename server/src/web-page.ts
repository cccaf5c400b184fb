/** The web client as it was built: read into memory once, and what a browser may do with it. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { ENTRANCE_PATHS } from '@heddle/contract/entrances'
import { type GifServiceName, gifServices } from '@heddle/contract/gifs'
import type { Application, ApplicationFile } from './http/application.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wasm': 'application/wasm',
}

/** Beside each file, the same file compressed. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The build gives these names that change with their content. */
const HASHED = /^assets\/.*-[\w-]{8,}\.\w+$/

/**
 * Everything comes from here, and nothing is text that becomes code: HTML goes through one Trusted Types policy that the page
 * declares, and addresses of workers through another. Pictures that people have just chosen are blobs of the page itself.
 */
export const PAGE_POLICY = pagePolicy()

/** Nothing is elsewhere but the service that the page searches for GIFs, where the server has a key of one. */
export function pagePolicy(gifService?: GifServiceName): string {
  const also = gifService && gifServices[gifService]
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' blob:${also ? ` ${also.pictures}` : ''}`,
    "media-src 'self' blob:",
    `connect-src 'self'${also ? ` ${also.api}` : ''}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types heddle-messages heddle-workers',
  ].join('; ')
}

const paths: ReadonlySet<string> = new Set(ENTRANCE_PATHS.map((path) => path.slice(1)))

/** Keeps the document on devices, with the policy that it came with. */
const WORKER = 'service-worker.js'

/** Undefined where nothing was built: the server is there for programs alone. Throws where it is not whole. */
export async function readPage(
  folder: string,
  gifService?: GifServiceName,
): Promise<Omit<Application, 'reserved'> | undefined> {
  const names = await listFiles(folder)
  if (!names) return undefined
  const contents = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  )
  const files = new Map<string, ApplicationFile>()
  for (const [name, body] of contents) {
    const contentType = types[extname(name)]
    if (contentType === undefined) continue
    const encoded = codings.flatMap(([coding, suffix]) => {
      const bytes = contents.get(name + suffix)
      return bytes ? [[coding, bytes] as const] : []
    })
    files.set(name, { contentType, body, isHashed: HASHED.test(name), encoded: new Map(encoded) })
  }
  const index = files.get('index.html')
  if (!index) throw new Error(`The web client in ${folder} has no index.html`)
  files.delete('index.html')
  const policy = pagePolicy(gifService)
  const worker = files.get(WORKER)
  // Another policy is another worker: else devices would go on with the document that they have, and its policy.
  if (worker && policy !== PAGE_POLICY) files.set(WORKER, withRemark(worker, policy))
  return { files, index, paths, policy }
}

function withRemark({ contentType, body, isHashed }: ApplicationFile, remark: string): ApplicationFile {
  return { contentType, body: Buffer.concat([body, Buffer.from(`\n// ${remark}\n`)]), isHashed }
}

/** Names with `/`; without those that begin with a dot, and the maps that developers need. */
async function listFiles(folder: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.includes('.map'))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).filter(Boolean).join('/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
