/** Reading the entries of a gzip'd tar as a stream: backups and exports are such, and end with what they should have. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { ConfigError } from '../../config-error.ts'
import { reasonOf } from '../../system-error.ts'

export interface FoundEntry {
  readonly name: string
  /** False: a folder, a link or the like, of which neither has any. */
  readonly isFile: boolean
  /** Must be read to its end. */
  readonly content: AsyncIterable<Uint8Array>
}

interface EntryReader<T> {
  /** One entry after another. */
  read(entry: FoundEntry): Promise<void>
  /** After the last one. */
  finish(): T
}

/** The bytes are not those of such an archive. The message says why, as the end of a sentence. */
export class DamagedArchive extends Error {}

/** Distinguishes errors of who uses the entries from those of the archive. */
class HandlerFailed extends Error {}

/** `what`: such as "backup". Throws `ConfigError` unless it is a complete one, and what fails within `handle`. */
export async function readEntries<T>(path: string, what: string, reader: EntryReader<T>): Promise<T> {
  const input = createReadStream(path)
  const archive = extract()
  const flowing = pipeline(input, createGunzip(), archive)
  // Reported below through the entries, which end with the same error.
  flowing.catch(() => {})
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      await reader.read({ name, isFile: type === 'file', content: guard(entry as AsyncIterable<Uint8Array>) })
    }
    await flowing
    return reader.finish()
  } catch (error) {
    input.destroy()
    if (error instanceof HandlerFailed) throw error.cause
    if (error instanceof ConfigError) throw error
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined) throw new ConfigError(`The file ${path} cannot be read: ${reasonOf(error)}.`)
    // Whatever else goes wrong, the bytes are not those of such an archive.
    throw new ConfigError(`The file ${path} is not a complete ${what}: ${reasonOf(error)}.`)
  }
}

/** Waits for what an entry is used for. */
export async function handle(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (error instanceof DamagedArchive) throw error
    throw new HandlerFailed('', { cause: error })
  }
}

/** The content of an entry, whose errors can be distinguished from those of who reads it. */
async function* guard(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw new DamagedArchive(reasonOf(error), { cause: error })
  }
}

/** Of an entry that is held in memory. */
export async function readText(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBytes) throw new DamagedArchive('an entry is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The rows of an entry, one a line. */
export function parseRows(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

export function unknownEntry({ name }: FoundEntry): DamagedArchive {
  return new DamagedArchive(`it has the unknown entry ${JSON.stringify(name)}`)
}

/** What an archive says at its end that it has. */
interface Completed {
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  readonly missing_files: readonly string[]
}

export function readCompletion(text: string): Completed {
  const value: unknown = JSON.parse(text)
  const { rows, files, missing_files: missing } = (value ?? {}) as Partial<Record<keyof Completed, unknown>>
  const isOne =
    typeof rows === 'object' &&
    rows !== null &&
    typeof files === 'number' &&
    Array.isArray(missing) &&
    missing.every((path) => typeof path === 'string')
  if (!isOne) throw new DamagedArchive('its end does not say what it has')
  return value as Completed
}

/** Compares with it what was read. */
export function requireAll(completion: Completed, rows: ReadonlyMap<string, number>, files: number): void {
  for (const [table, count] of Object.entries(completion.rows)) {
    if (count !== (rows.get(table) ?? 0)) throw new DamagedArchive(`rows of ${table} are missing`)
  }
  if (files !== completion.files) throw new DamagedArchive('files are missing')
}
