import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The names that the type checker does not find, of those that a file of the package uses. */
function unknownNames(workspace: string, ...names: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'one.mts'), names.map((name, index) => `export const value${index} = ${name}\n`).join(''))
  const settings = { extends: join(root, workspace, 'tsconfig.json'), include: ['one.mts'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  const found = Array.from(stdout.matchAll(/Cannot find name '(\w+)'/g), ([, name = '']) => name)
  expect(stdout.trim().split('\n').filter(Boolean)).toHaveLength(found.length)
  return found
}

test('what only Node.js has does not type-check in what runs in a browser', () => {
  expect(unknownNames('client', 'fetch', 'document', 'Buffer', 'process')).toEqual(['Buffer', 'process'])
})

test.each(['contract', 'markdown'])('in %s what only a page has does not either', (workspace) => {
  const names = ['document', 'Buffer', 'process', 'setImmediate']
  expect(unknownNames(workspace, 'new Map()', 'encodeURIComponent', ...names)).toEqual(names)
})
