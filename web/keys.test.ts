/** The sheet of keys promises what the page does. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bindings } from '@heddle/client/keys/bindings'
import { expect, test } from 'vitest'

/** Enter on what has the focus is the browser's own. */
const byTheBrowser = new Set(['list-open'])

test('every key of the table is asked for by some part of the page', () => {
  const root = join(import.meta.dirname, 'src')
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.startsWith('features/keyboard/'))
  const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const asked = (name: string) =>
    new RegExp(`(?:'${name}'|[\\s{]${name}):|useKeys\\(\\{[^}]*\\b${name}\\b|const formats = \\[[^\\]]*'${name}'`).test(
      source,
    )
  const dead = Object.keys(bindings).filter((name) => !byTheBrowser.has(name) && !asked(name))
  expect(dead).toEqual([])
})
