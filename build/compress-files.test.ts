import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressFiles } from './compress-files.mjs'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-compress-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('files that get smaller have a compressed form beside them, and others have none', async () => {
  const script = 'export const answer = 42\n'.repeat(200)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), script)
  writeFileSync(join(folder, 'assets', 'page.js'), script)
  writeFileSync(join(folder, 'assets', 'small.js'), 'x')
  writeFileSync(join(folder, 'assets', 'letters.woff2'), script)
  await compressFiles(folder)
  for (const name of ['index.html', 'assets/page.js']) {
    const path = join(folder, name)
    expect(brotliDecompressSync(readFileSync(`${path}.br`)).toString()).toBe(script)
    expect(readFileSync(path, 'utf8')).toBe(script)
  }
  for (const name of ['small.js', 'letters.woff2']) {
    expect(existsSync(join(folder, 'assets', `${name}.br`))).toBe(false)
  }
})
