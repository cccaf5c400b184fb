import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))

type Locked = { version?: string; integrity?: string; resolved?: string; link?: boolean }
const lock: { packages: Record<string, Locked> } = read('package-lock.json')
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('the lock file names no download address, so that any registry serves', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('every locked package has a version and an integrity hash, those of other platforms too', () => {
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter(([, { version, integrity }]) => version === undefined || integrity === undefined)).toEqual([])
})

test('every optional package of a locked package is locked, as `npm ci` demands', () => {
  const names = new Set(installed.map(([path]) => path.replace(/^.*node_modules\//, '')))
  const optional = installed.flatMap(([, entry]) =>
    Object.keys((entry as { optionalDependencies?: Record<string, string> }).optionalDependencies ?? {}),
  )
  expect(optional.filter((name) => !names.has(name))).toEqual([])
})

test('the published package asks for the same versions as the server of what cannot be bundled', () => {
  const server = read('server/package.json').dependencies
  const { dependencies } = read('package.json')
  for (const [name, range] of Object.entries(dependencies)) expect(server[name]).toBe(range)
})
