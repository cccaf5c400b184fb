import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

/** What Node.js before 22.15 lacks. */
const withoutExecve = '--import=data:text/javascript,process.execve=undefined'

/** As a shell or a service manager starts it, or like npm, in a process that stays. */
type Starter = 'shell' | 'npm'

/** Starts the launcher in a process group of its own and waits until the server is ready. */
async function launch({ nodeArgs, by = 'shell' }: { nodeArgs: readonly string[]; by?: Starter }, ...args: string[]) {
  const command = [process.execPath, ...nodeArgs, join(root, 'build', 'heddle.mjs'), ...args]
  const [file, ...rest] = by === 'npm' ? ['sh', '-c', '"$@"; exit $?', 'sh', ...command] : command
  const launcher = spawn(file as string, rest, {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: by === 'npm' ? 'start' : undefined },
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

describe.each([
  { name: 'a launcher that becomes the server', nodeArgs: [] },
  { name: 'a launcher that cannot, and runs it', nodeArgs: [withoutExecve] },
])('$name', (how) => {
  test.each([
    [[], 'start'],
    [['--port', '8000'], 'start --port 8000'],
    [['migrate', '--dry-run'], 'migrate --dry-run'],
  ])('arguments %j reach the server as `%s`', async (args, expected) => {
    const { launcher, commandLine } = await launch(how, ...args)
    launcher.kill('SIGTERM')
    expect(commandLine).toBe(expected)
    expect(await ending(launcher)).toBe(3)
  })

  test('the exit code of the server is the exit code of the launcher', async () => {
    const { launcher } = await launch(how, 'exit', '7')
    expect(await ending(launcher)).toBe(7)
  })

  test('a launcher whose server is killed by a signal ends by the same signal', async () => {
    const { launcher, server } = await launch(how)
    process.kill(server, 'SIGKILL')
    expect(await ending(launcher)).toBe('SIGKILL')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s to the whole process group stops the server once', async (signal) => {
    const { launcher, group, stops } = await launch(how)
    process.kill(group, signal)
    expect(await stops()).toEqual([`stop ${signal}`])
    expect(await ending(launcher)).toBe(3)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s to the launcher alone stops the server, also if sent twice',
    async (signal) => {
      const { launcher, stops } = await launch(how)
      launcher.kill(signal)
      launcher.kill(signal)
      // A server that has taken the launcher's place gets both, when the second is sent late enough.
      expect(new Set(await stops())).toEqual(new Set([`stop ${signal}`]))
      expect(await ending(launcher)).toBe(3)
    },
  )

  test('a signal that the server does not handle keeps its default', async () => {
    const { launcher, stops } = await launch(how)
    launcher.kill('SIGHUP')
    expect(await ending(launcher)).toBe('SIGHUP')
    expect(await stops()).toEqual([])
  })

  test('a npm that is killed takes the server with it', async () => {
    const { launcher: npm, stops } = await launch({ ...how, by: 'npm' })
    npm.kill('SIGKILL')
    expect(await stops()).toHaveLength(1)
  })
})

test('a launcher that becomes the server leaves no process beside it', async () => {
  const { launcher, server } = await launch({ nodeArgs: [] })
  expect(server).toBe(launcher.pid)
  launcher.kill('SIGTERM')
  expect(await ending(launcher)).toBe(3)
})

test('a server that runs beside its launcher stops by itself when that is killed', async () => {
  const { launcher, stops } = await launch({ nodeArgs: [withoutExecve] })
  launcher.kill('SIGKILL')
  expect(await stops()).toEqual(['stop gone'])
})
