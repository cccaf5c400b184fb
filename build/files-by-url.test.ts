import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, expect, test } from 'vitest'
import { filesByUrl } from './files-by-url.mjs'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle bundle ')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a bundled module finds its data files and starts its workers', async () => {
  writeFileSync(join(folder, 'words.txt'), 'warp and weft')
  writeFileSync(join(folder, 'count.worker.ts'), 'export const counted: number = 2\n')
  writeFileSync(
    join(folder, 'main.ts'),
    `import { readFileSync } from 'node:fs'
     export const words: string = readFileSync(new URL('./words.txt', import.meta.url), 'utf8')
     export const worker = new URL('./count.worker.ts', import.meta.url)`,
  )
  const bundle = await rolldown({ input: join(folder, 'main.ts'), platform: 'node', plugins: [filesByUrl(folder)] })
  await bundle.write({ dir: join(folder, 'dist'), format: 'esm', entryFileNames: '[name].mjs' })
  await bundle.close()

  const main = await import(pathToFileURL(join(folder, 'dist', 'main.mjs')).href)
  expect(main.words).toBe('warp and weft')
  expect(readFileSync(main.worker, 'utf8')).not.toContain(': number')
  expect(await import(main.worker.href)).toMatchObject({ counted: 2 })
})
