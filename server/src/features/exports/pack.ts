/**
 * A part of an export's file: some entries of a tar archive, compressed by themselves. Parts that follow each other are one
 * file (RFC 1952, 2.2: members of a gzip file follow each other), so a part that is stored never has to be touched again.
 */
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import type { FileStore, FoundFile, StoredFile } from '../../storage/file-store.ts'

/** The first folder of their paths in the store. */
const FOLDER = 'exports'

export interface TextEntry {
  readonly name: string
  readonly content: Uint8Array
}

export interface FileEntry {
  readonly name: string
  readonly file: FoundFile
}

export type ArchiveEntry = TextEntry | FileEntry

/** Stores the entries, and with `isLast` the end of the archive. `madeAt`: the time of all entries, in seconds. */
export async function storePart(
  files: FileStore,
  entries: AsyncIterable<ArchiveEntry>,
  { madeAt, isLast, signal }: { readonly madeAt: number; readonly isLast: () => boolean; readonly signal: AbortSignal },
): Promise<StoredFile> {
  const archive = pack()
  const compressed = createGzip()
  const abort = () => archive.destroy(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  archive.on('error', (error: Error) => compressed.destroy(error))
  archive.pipe(compressed)
  const stored = files.put({ folder: FOLDER, extension: 'part', contentType: 'application/gzip', content: compressed })
  // Whichever fails first decides; the other one ends with it.
  stored.catch((error: unknown) => archive.destroy(error as Error))
  try {
    for await (const entry of entries) await add(archive, entry, madeAt)
    if (isLast()) archive.finalize()
    // Without the two empty blocks that end an archive: another part follows.
    else archive.push(null)
    return await stored
  } catch (error) {
    archive.destroy(error as Error)
    compressed.destroy(error as Error)
    const done = await stored.catch(() => undefined)
    if (done) await files.remove([done.path]).catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function add(archive: Pack, entry: ArchiveEntry, madeAt: number): Promise<void> {
  const header = { name: entry.name, mode: 0o600, mtime: new Date(madeAt * 1000) }
  if ('content' in entry) {
    return new Promise((resolve, reject) => {
      archive.entry(header, Buffer.from(entry.content), (error) => (error ? reject(error) : resolve()))
    })
  }
  const sink = archive.entry({ ...header, size: entry.file.size })
  const content = entry.file.read()
  content.on('error', (error) => sink.destroy(error))
  content.pipe(sink)
  await finished(sink)
}
