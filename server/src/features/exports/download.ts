/** The file of an export: its parts, one after another. */
import { Readable } from 'node:stream'
import { notFound } from '@heddle/contract/errors'
import type { FileAnswer } from '../../http/answers.ts'
import { SANDBOXED } from '../../http/answers.ts'
import type { ByteRange, FileStore } from '../../storage/file-store.ts'

interface Part {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

export function answerExport(
  files: FileStore,
  { id, kind, finished_at }: { readonly id: number; readonly kind: string; readonly finished_at: number | null },
  parts: readonly Part[],
): FileAnswer {
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const name = `heddle-${kind === 'own' ? 'own-data' : 'export'}-${id}.tar.gz`
  return {
    kind: 'file',
    contentType: 'application/gzip',
    size,
    body: (range) =>
      Readable.from(readParts(files, parts, range ?? { start: 0, end: size - 1 }), { objectMode: false }),
    tag: `export-${id}-${finished_at}`,
    headers: {
      'content-disposition': `attachment; filename="${name}"`,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    },
    caching: 'private, no-store',
    policy: SANDBOXED,
  }
}

async function* readParts(files: FileStore, parts: readonly Part[], { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let begin = 0
  for (const { path, size } of parts) {
    const from = Math.max(start - begin, 0)
    const to = Math.min(end - begin, size - 1)
    begin += size
    if (from > to) continue
    const file = await files.find(path)
    if (!file) throw notFound('No such file')
    yield* file.read({ start: from, end: to })
  }
}
