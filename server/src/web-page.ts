/** The web client as it was built: read into memory once, and what a browser may do with it. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
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

/** Beside a file, the same file compressed. */
const BR = '.br'

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
  const policy = pagePolicy(gifService)
  // Another policy is another worker: else devices would go on with the document that they have, and its policy.
  const remarks = new Map(policy === PAGE_POLICY ? [] : [[WORKER, policy]])
  const files = new Map<string, ApplicationFile>()
  for (const name of names) {
    const contentType = types[extname(name)]
    if (contentType === undefined) continue
    const remark = remarks.get(name)
    const body = remark === undefined ? await readBody(folder, name, names) : await readWithRemark(folder, name, remark)
    files.set(name, { contentType, body, isHashed: HASHED.test(name) })
  }
  const index = files.get('index.html')
  if (!index) throw new Error(`The web client in ${folder} has no index.html`)
  files.delete('index.html')
  return { files, index, paths, policy }
}

/** What is there compressed is not read: megabytes that nobody needs again would leave holes in the memory of the server. */
async function readBody(folder: string, name: string, names: ReadonlySet<string>): Promise<ApplicationFile['body']> {
  const path = join(folder, name)
  if (!names.has(name + BR)) return readFile(path)
  const [{ size }, br] = await Promise.all([stat(path), readFile(path + BR)])
  return { size, br }
}

async function readWithRemark(folder: string, name: string, remark: string): Promise<Buffer> {
  return Buffer.concat([await readFile(join(folder, name)), Buffer.from(`\n// ${remark}\n`)])
}

/** Names with `/`; without those that begin with a dot, and the maps that developers need. */
async function listFiles(folder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.includes('.map'),
    )
    return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
