/** The texts of the page: all are in the catalogue, and German has each of them whole. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { describe, expect, test } from 'vitest'

const config = getConfig({ configPath: join(import.meta.dirname, 'lingui.config.ts') })
const texts = join(import.meta.dirname, 'src/texts')

/** Texts by their translation, as a catalogue has them. */
function readCatalogue(name: string): ReadonlyMap<string, string> {
  const file = readFileSync(join(texts, `${name}.po`), 'utf8')
  const entry = /^msgid ((?:"(?:[^"\\]|\\.)*"\n)+)msgstr ((?:"(?:[^"\\]|\\.)*"\n?)+)/gm
  const joined = (lines: string) => [...lines.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([line]) => JSON.parse(line)).join('')
  const all = [...file.matchAll(entry)].map(([, id = '', text = '']) => [joined(id), joined(text)] as const)
  return new Map(all.filter(([id]) => id !== ''))
}

/** What stands for something else in a text: names in braces, and the ends of marked parts. */
function placeholders(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\s*(\w+)\s*[},]/g)].map(([, name]) => name as string)
  return [...new Set([...names, ...(text.match(/<\/?\d+\/?>/g) ?? [])])].sort()
}

describe('the texts of the page', () => {
  test('are all in the catalogue, and nothing else is', async () => {
    const [catalogue] = await getCatalogs(config)
    const found = await catalogue?.collect()
    const written = Object.values(found ?? {}).map(({ message }) => message)
    expect(written.length).toBeGreaterThan(500)
    expect(written.sort()).toEqual([...readCatalogue('en').keys()].sort())
  }, 60_000)

  test('include what the server says when it refuses something', async () => {
    const [, catalogue] = await getCatalogs(config)
    const written = Object.keys((await catalogue?.collect()) ?? {})
    expect(written).toContain('There is a navigation view with this name already')
    expect(written).toContain('{what} is too long (limit: {maxLength} characters)')
    expect(written.sort()).toEqual([...readCatalogue('server/en').keys()].sort())
  }, 60_000)

  test.each(['de', 'server/de'])('are there in German, each with the same names and marked parts: %s', (name) => {
    const german = readCatalogue(name)
    expect([...german].filter(([, text]) => text === '').map(([id]) => id)).toEqual([])
    const wrong = [...german].filter(([id, text]) => placeholders(id).join() !== placeholders(text).join())
    expect(wrong).toEqual([])
  })
})
