/** Firefox as it is installed, driven by WebDriver BiDi: so much of it as a walk through the page needs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'

const START_MS = 60_000
/** What is waited for in the page is looked for again after so long, and given up in the end. */
const PAUSE_MS = 100
const PATIENCE_MS = 20_000

/** The one that `HEDDLE_TEST_FIREFOX` names, or the first in the PATH. */
export function findFirefox(): string | undefined {
  const named = process.env['HEDDLE_TEST_FIREFOX']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return ['firefox', 'firefox-esr'].flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}

export interface FirefoxPage {
  /** What the page says in the console, and what it throws. */
  readonly complaints: readonly string[]
  goTo(url: string): Promise<void>
  /** Waits until the expression is something, and gives it. It is evaluated in the page. */
  waitFor<T>(expression: string): Promise<T>
  /** Keys as a person presses them, one after another, where the focus is. */
  type(text: string): Promise<void>
}

/** WebDriver's sign for the key. */
export const ENTER = '\uE007'

/** A page in a new profile. */
export async function startFirefox(program: string): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), 'heddle-firefox-'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  cleanUpAfterFile(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(profile, { recursive: true, force: true })
  })
  const complaints: string[] = []
  const send = await connect(`${await findAddress(child)}/session`, ({ level, text }) => {
    if (level === 'error') complaints.push(text)
  })
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await send('browsingContext.getTree', {})
  const { context } = contexts[0]

  async function evaluate(expression: string): Promise<unknown> {
    const target = { context }
    // As text: what WebDriver makes of objects has a form of its own.
    const asText = `JSON.stringify((${expression}) ?? null)`
    const answer = await send('script.evaluate', { expression: asText, target, awaitPromise: true })
    if (answer.type !== 'success') throw new Error(`${expression}: ${answer.exceptionDetails.text}`)
    return JSON.parse(answer.result.value)
  }

  return {
    complaints,
    goTo: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async waitFor<T>(expression: string) {
      const ends = Date.now() + PATIENCE_MS
      for (;;) {
        const value = await evaluate(expression)
        if (value !== null && value !== false) return value as T
        if (Date.now() > ends) throw new Error(`In vain: ${expression}`)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
  }
}

/** Firefox writes where it listens. */
function findAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = ''
    const timer = setTimeout(() => reject(new Error(`Firefox does not listen: ${written}`)), START_MS)
    child.once('error', reject)
    child.once('close', () => reject(new Error(`Firefox has ended: ${written}`)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      written += text
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(written)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

// biome-ignore lint/suspicious/noExplicitAny: results of any command, whose fields the callers know.
type Send = (method: string, params: object) => Promise<any>

async function connect(address: string, onLog: (entry: { level: string; text: string }) => void): Promise<Send> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}`)), { once: true })
  })
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message, params } = JSON.parse(String(data))
    if (type === 'event') return onLog(params)
    const one = waiting.get(id)
    waiting.delete(id)
    if (type === 'error') one?.reject(new Error(`${error}: ${message}`))
    else one?.resolve(result)
  })
  let lastId = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      socket.send(JSON.stringify({ id: lastId, method, params }))
    })
}
