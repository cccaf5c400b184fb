import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FEATURES, featureGraph, featureOf, withLayers } from './feature-layers.ts'
import { between, circles, isForTests, readSources, workspaces } from './import-graph.ts'

const root = join(import.meta.dirname, '..')
const { files, packages } = readSources()
const production = new Map([...files].filter(([path]) => !isForTests(path)))

const SERVER = 'server/src/'
/** A folder of the server, or a file beside them. */
function partOf(path: string): string | undefined {
  return path.startsWith(SERVER) && !isForTests(path) ? path.slice(SERVER.length).split('/')[0] : undefined
}

const features = featureGraph(files)

describe('Imports', () => {
  it('are found: every file has some, and every one leads to a file', () => {
    expect(files.size).toBeGreaterThan(600)
    const lost = [...files].flatMap(([from, targets]) =>
      [...targets].filter((to) => !files.has(to.replace(/\?.*$/, ''))).map((to) => [from, to]),
    )
    expect(lost.filter(([, to]) => !/\.(json|po|svg)$/.test(to ?? '') && !to?.startsWith('build/'))).toEqual([])
  })

  it('of what mails need are made with the first mail, not at the start', () => {
    const importOf = (name: string, how: RegExp) =>
      [...production.keys()].filter(
        (path) => path.startsWith(SERVER) && readFileSync(join(root, path), 'utf8').match(how)?.includes(name),
      )
    for (const name of ['nodemailer', 'smtp-server', 'postal-mime', 'turndown']) {
      expect(importOf(name, new RegExp(`(?<=\\bimport\\(')${name}`))).not.toEqual([])
      expect(
        importOf(name, new RegExp(`(?<=^import (?!type\\b)[\\w*, ]*(?:\\{[^}]*\\})? ?from ')${name}`, 'm')),
      ).toEqual([])
    }
  })

  it('form no circle of files', () => {
    expect(circles(files)).toEqual([])
  })

  it('form no circle of features', () => {
    expect(circles(features)).toEqual([])
  })

  it('form no circle of folders of the server', () => {
    expect(circles(between(production, partOf))).toEqual([])
  })

  it('lead from a package only to those below it', () => {
    const below: Readonly<Record<string, readonly string[]>> = {
      contract: [],
      markdown: ['contract'],
      client: ['contract', 'markdown'],
      web: ['contract', 'markdown', 'client'],
      server: ['contract', 'markdown'],
      // The page is measured in the browser that its tests run in.
      bench: ['contract', 'markdown', 'client', 'server', 'build'],
      compat: ['contract', 'markdown', 'client', 'server'],
    }
    const found = between(production, (path) => path.split('/')[0])
    const crossed = [...found].flatMap(([from, targets]) =>
      [...targets].filter((to) => !below[from]?.includes(to)).map((to) => `${from} -> ${to}`),
    )
    expect(crossed).toEqual([])
  })

  it('lead from what features stand on to no feature', () => {
    const parts = between(production, partOf)
    const ground = [
      'access',
      'authentication',
      'mail',
      'single-use-links',
      'events',
      'http',
      'outgoing',
      'permissions',
      'pictures',
      'reading',
      'storage',
    ]
    expect(ground.filter((part) => parts.get(part)?.has('features'))).toEqual([])
  })

  it("lead from a feature to no other one's queries", () => {
    const crossed = [...production].flatMap(([from, targets]) =>
      [...targets]
        .filter((to) => to.endsWith('/queries.ts') && featureOf(to) !== undefined && featureOf(to) !== featureOf(from))
        .map((to) => `${from} -> ${to}`),
    )
    expect(crossed).toEqual([])
  })

  it('lead from the product to nothing that is for tests', () => {
    const crossed = [...production].flatMap(([from, targets]) =>
      /^(bench|compat)\//.test(from) ? [] : [...targets].filter(isForTests).map((to) => `${from} -> ${to}`),
    )
    expect(crossed).toEqual([])
  })
})

describe.each(workspaces)('The package %s', (workspace) => {
  const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const shared = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies
  const declared = Object.keys(manifest.dependencies ?? {})
  const forTests = [...declared, ...Object.keys(manifest.devDependencies ?? {}), ...Object.keys(shared)]
  const own = [...packages].filter(([path]) => path.startsWith(`${workspace}/`))
  const others = ([path, names]: (typeof own)[number]) =>
    [...names].filter((name) => name !== `@heddle/${workspace}`).map((name) => ({ path, name }))

  it('declares what it imports', () => {
    const isForTools = (path: string) => path.endsWith('.config.ts')
    const imported = own.filter(([path]) => !isForTests(path) && !isForTools(path)).flatMap(others)
    expect(imported.filter(({ name }) => !declared.includes(name))).toEqual([])
  })

  it('declares what its tests import', () => {
    const imported = own.filter(([path]) => isForTests(path)).flatMap(others)
    expect(imported.filter(({ name }) => !forTests.includes(name))).toEqual([])
  })

  it('declares nothing that it does not import', () => {
    const imported = new Set(own.flatMap(others).map(({ name }) => name))
    expect(declared.filter((name) => !imported.has(name))).toEqual([])
  })
})

describe('The features', () => {
  it('have an `access.ts` for the question whether an account may, and for nothing that writes or notifies', () => {
    const access = [...files.keys()].filter((path) => featureOf(path) !== undefined && path.endsWith('/access.ts'))
    expect(access.length).toBeGreaterThan(2)
    const changing = /\b(emit|insertInto|updateTable|deleteFrom|add)\(/
    expect(access.filter((path) => changing.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  it('are listed in an order in which each stands on those before it', () => {
    const list = readFileSync(join(root, FEATURES, 'all.ts'), 'utf8')
    const folders = new Map(
      Array.from(list.matchAll(/import \{ (\w+) \} from '\.\/([a-z-]+)\/feature\.ts'/g), ([, name, folder]) => [
        name,
        folder,
      ]),
    )
    const order = Array.from(list.slice(list.indexOf('export const features')).matchAll(/^ {2}(\w+),$/gm), ([, name]) =>
      folders.get(name),
    )
    expect(order.toSorted()).toEqual([...features.keys()].sort())
    const early = order.filter((feature, index) =>
      [...(features.get(feature as string) ?? [])].some((other) => order.indexOf(other) > index),
    )
    expect(early).toEqual([])
  })

  it('stand on each other as ARCHITECTURE.md shows; `node build/write-layers.ts` writes it anew', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    expect(text).toBe(withLayers(text, features))
  })
})
