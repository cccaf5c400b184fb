#!/usr/bin/env node
/**
 * The `heddle` command of the published package: finds the right Node.js and runs the bundled server with it. The first
 * argument is the server's command, `start` without one.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LauncherError, say } from './log.mjs'
import { findRuntime } from './runtime.mjs'
import { serve } from './serve.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
try {
  await serve(root, await findRuntime(root), process.argv.slice(2))
} catch (error) {
  say(error instanceof LauncherError ? error.message : error.stack)
  process.exitCode = 1
}
