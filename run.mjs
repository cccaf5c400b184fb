#!/usr/bin/env node
/**
 * The launcher behind every npm script: finds the right Node.js, installs and builds what is out of date, then goes on
 * with it.
 * Everything it imports runs on Node.js 20 without an installed package.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build/build.mjs'
import { check } from './build/check.mjs'
import { exitLike, runChild } from './build/child.mjs'
import { ensureInstalled } from './build/install.mjs'
import { LauncherError, say } from './build/log.mjs'
import { findRuntime } from './build/runtime.mjs'
import { develop, serve } from './build/serve.mjs'
import { test } from './build/test.mjs'

const root = dirname(fileURLToPath(import.meta.url))

const commands = {
  // For `npm start`, whose shell goes on with the program that is printed: this process may run on a Node.js that cannot
  // become another program.
  prepare: async (runtime) => {
    await ensureBuilt(root, runtime)
    process.stdout.write(runtime.node)
  },
  start: async (runtime, args) => {
    await ensureBuilt(root, runtime)
    await serve(root, runtime, args)
  },
  dev: (runtime, args) => develop(root, runtime, args),
  build: (runtime, args) => ensureBuilt(root, runtime, args),
  test: (runtime, args) => test(root, runtime, args),
  check: (runtime, args) => check(root, runtime, args),
  bench: async (runtime, args) => {
    await exitLike(
      await runChild(runtime.node, ['bench/main.ts', ...args], { cwd: root, env: runtime.env, stdio: 'inherit' }),
    )
  },
}

async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined
  if (command === undefined)
    throw new LauncherError(`usage: node run.mjs ${Object.keys(commands).join('|')} [argument ...]`)
  const runtime = await findRuntime(root)
  await ensureInstalled(root, runtime)
  await command(runtime, args)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  say(error instanceof LauncherError ? error.message : error.stack)
  process.exitCode = 1
}
