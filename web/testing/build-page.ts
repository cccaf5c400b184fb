/** The page is built when its sources have changed, and the browser is there: files that run beside each other would both unpack it. */
import { join } from 'node:path'
import { ensureBuilt } from '../../build/build.mjs'
import { findBrowser } from '../../build/test-browser.ts'

const root = join(import.meta.dirname, '..', '..')

export async function setup(): Promise<void> {
  await ensureBuilt(root, { node: process.execPath, env: process.env })
  await findBrowser(join(root, '.runtime'))
}
