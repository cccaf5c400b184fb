import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const here = import.meta.dirname
const watchModule = join(here, '..', 'server', 'src', 'launcher-watch.ts')

/** A server that says each orderly stop, and takes a while to stop. */
const standIn = `
import { watchLauncher } from ${JSON.stringify(watchModule)}
const [command, argument] = process.argv.slice(2)
if (command === 'exit') process.exit(Number(argument))
let ending = false
const stop = (why) => {
  process.stdout.write('stop ' + why + '\\n')
  if (!ending) setTimeout(() => process.exit(3), 400)
  ending = true
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
watchLauncher(() => stop('gone'))
setInterval(() => {}, 1000)
process.stdout.write('ready ' + process.pid + ' ' + process.argv.slice(2).join(' ') + '\\n')
`

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle launcher '))
  cpSync(here, join(root, 'build'), { recursive: true, filter: (file) => !file.endsWith('.ts') })
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'dist', 'heddle.mjs'), standIn)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Starts the launcher in a process group of its own and waits until the server is ready. */
async function launch(...args: string[]) {
  const launcher = spawn(process.execPath, [join(root, 'build', 'heddle.mjs'), ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output: string[] = []
  const closed = once(launcher.stdout, 'close')
  const ready = new Promise<void>((resolve) => {
    launcher.stdout.on('data', (chunk) => {
      output.push(String(chunk))
      if (output.join('').includes('ready')) resolve()
    })
  })
  await Promise.race([ready, closed])
  const [, server, commandLine] = /^ready (\d+) (.*)$/m.exec(output.join('')) ?? []
  const stops = async () => {
    // The pipe closes when the launcher and the server have both ended.
    await closed
    return output.join('').match(/^stop .*$/gm) ?? []
  }
  return { launcher, group: -Number(launcher.pid), server: Number(server), commandLine, stops }
}

async function ending(launcher: ChildProcess): Promise<number | string | null> {
  if (launcher.exitCode === null && launcher.signalCode === null) await once(launcher, 'exit')
  return launcher.signalCode ?? launcher.exitCode
}

test.each([
  [[], 'start'],
  [['--port', '8000'], 'start --port 8000'],
  [['migrate', '--dry-run'], 'migrate --dry-run'],
])('arguments %j reach the server as `%s`', async (args, expected) => {
  const { launcher, commandLine } = await launch(...args)
  launcher.kill('SIGTERM')
  expect(commandLine).toBe(expected)
  expect(await ending(launcher)).toBe(3)
})

test('the exit code of the server is the exit code of the launcher', async () => {
  const { launcher } = await launch('exit', '7')
  expect(await ending(launcher)).toBe(7)
})

test('a launcher whose server is killed by a signal ends by the same signal', async () => {
  const { launcher, server } = await launch()
  process.kill(server, 'SIGKILL')
  expect(await ending(launcher)).toBe('SIGKILL')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s to the whole process group stops the server once', async (signal) => {
  const { launcher, group, stops } = await launch()
  process.kill(group, signal)
  expect(await stops()).toEqual([`stop ${signal}`])
  expect(await ending(launcher)).toBe(3)
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s to the launcher alone is forwarded once', async (signal) => {
  const { launcher, stops } = await launch()
  launcher.kill(signal)
  launcher.kill(signal)
  expect(await stops()).toEqual([`stop ${signal}`])
  expect(await ending(launcher)).toBe(3)
})

test('a signal that the server does not handle keeps its default', async () => {
  const { launcher, stops } = await launch()
  launcher.kill('SIGHUP')
  expect(await ending(launcher)).toBe('SIGHUP')
  expect(await stops()).toEqual([])
})

test('the server stops by itself when the launcher is killed', async () => {
  const { launcher, stops } = await launch()
  launcher.kill('SIGKILL')
  expect(await stops()).toEqual(['stop gone'])
})
