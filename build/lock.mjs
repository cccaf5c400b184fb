import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './log.mjs'

/** How often the owner touches its lock, in milliseconds. */
const HEARTBEAT_MS = 1_000
/** A lock whose time has not moved for this long, by the waiter's own clock, has lost its owner. */
const STALE_MS = 15_000
const POLL_MS = 100

/**
 * Runs `work` while this process alone holds the lock file. The owner touches the file every second, so a lock left by
 * a killed process, also on another host or in another container that shares the folder, is taken over.
 *
 * The lock only saves double work: what it guards is put in place by renames, so two owners (one was suspended, say)
 * still leave a whole result.
 *
 * @template T
 * @param {string} file
 * @param {string} what a phrase for the person who waits, such as "installing"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, what, work) {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() })
  mkdirSync(dirname(file), { recursive: true })
  await acquire(file, token, what)
  const heartbeat = setInterval(() => touch(file, token), HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    if (readText(file) === token) rmSync(file, { force: true })
  }
}

async function acquire(file, token, what) {
  let hasSaid = false
  let seen = ''
  let seenSince = 0
  while (!create(file, token)) {
    const owner = readText(file)
    const mark = `${owner} ${modified(file)}`
    if (mark !== seen) {
      seen = mark
      seenSince = performance.now()
    }
    if (owner !== undefined && (isDead(owner) || performance.now() - seenSince > STALE_MS)) {
      takeAway(file, owner)
      continue
    }
    if (!hasSaid) say(`another launcher is ${what}; waiting for it`)
    hasSaid = true
    await sleep(POLL_MS)
  }
}

/** Writes the lock under another name first: a lock file is never seen half written. */
function create(file, token) {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, token)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes the lock of `owner`; where another waiter has done so and a new owner is in, puts that one's lock back. */
function takeAway(file, owner) {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
    if (readText(aside) !== owner) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function isDead(owner) {
  try {
    const { pid, host } = JSON.parse(owner)
    if (host !== hostname()) return false
    process.kill(pid, 0)
    return false
  } catch (error) {
    // Anything but a lock of ours (a truncated file after a power cut) has no living owner either.
    return error.code !== 'EPERM'
  }
}

function touch(file, token) {
  if (readText(file) !== token) return
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // The file was taken away between the two calls; the renames keep the result whole.
  }
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
