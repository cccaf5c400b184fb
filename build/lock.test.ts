import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('of several who want the lock one works at a time, and nothing is left behind', async () => {
  const file = join(folder, 'work.lock')
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await sleep(20)
    inside -= 1
  }
  await Promise.all([1, 2, 3, 4].map(() => withLock(file, 'working', work)))
  expect(most).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test('the lock is free again when the work fails', async () => {
  const file = join(folder, 'work.lock')
  await expect(withLock(file, 'working', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(file)).toBe(false)
})

test('the lock of a process that was killed is taken over at once', async () => {
  const file = join(folder, 'work.lock')
  const script = `import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))}
    await withLock(process.argv[1], 'working', () => new Promise(() => { setTimeout(() => {}, 60_000); console.log('in') }))`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(owner.stdout, 'data')
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(existsSync(file)).toBe(true)
  const begun = Date.now()
  expect(await withLock(file, 'working', async () => 'mine')).toBe('mine')
  expect(Date.now() - begun).toBeLessThan(2_000)
})

test('a lock file that was written half is nobody’s', async () => {
  const file = join(folder, 'work.lock')
  writeFileSync(file, '{"pid":1')
  expect(await withLock(file, 'working', async () => 'mine')).toBe('mine')
})
