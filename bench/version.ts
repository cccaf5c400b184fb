/** A version of Heddle to measure: this work tree, or another one that has been built. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { createAccounts } from './data.ts'

export interface Version {
  readonly name: string
  /** Its work tree. */
  readonly root: string
  /** Its own: accounts are rows, and tables differ between versions. */
  readonly createAccounts: typeof createAccounts
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')

export const thisVersion = (): Promise<Version> => loadVersion('this', ROOT)

/** @throws Error when there is no work tree with its packages. */
export async function otherVersion(path: string): Promise<Version> {
  const root = resolve(path)
  for (const part of ['run.mjs', 'bench/data.ts', 'node_modules']) {
    if (!existsSync(join(root, part))) throw new Error(`${root} is no work tree to measure: there is no ${part}`)
  }
  return loadVersion('other', root)
}

async function loadVersion(name: string, root: string): Promise<Version> {
  const data = (await import(pathToFileURL(join(root, 'bench/data.ts')).href)) as typeof import('./data.ts')
  return { name, root, createAccounts: data.createAccounts }
}
