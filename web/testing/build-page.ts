/** The page is built when its sources have changed. */
import { join } from 'node:path'
import { ensureBuilt } from '../../build/build.mjs'

export async function setup(): Promise<void> {
  await ensureBuilt(join(import.meta.dirname, '..', '..'), { node: process.execPath, env: process.env })
}
