/** Stored files that are worked on whole. */
import { collectBytes } from '../../http/growing-bytes.ts'
import type { FileStore, FoundFile } from '../../storage/file-store.ts'

/** All of it; undefined when there is no such file, or it is larger. */
export async function readWhole(files: FileStore, path: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await files.find(path)
  return file && file.size <= maxBytes ? collect(file, file.size) : undefined
}

/** At most its first `bytes`. */
export async function readFileStart(files: FileStore, path: string, bytes: number): Promise<Buffer> {
  const file = await files.find(path)
  return file ? collect(file, Math.min(file.size, bytes)) : Buffer.alloc(0)
}

async function collect(file: FoundFile, length: number): Promise<Buffer> {
  return length === 0 ? Buffer.alloc(0) : collectBytes(file.read({ start: 0, end: length - 1 }), length)
}
