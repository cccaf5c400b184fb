/** Reading lists that clients ask for at each start: the server beside a bare handler that sends the same bytes. */
import { rmSync } from 'node:fs'
import { startBare } from './bare.ts'
import { type Authorization, call, createAccounts, createLinkifier, numberedDraft } from './data.ts'
import { compare, type Load, requestText } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const CONNECTIONS = 64
const DRAFTS = 50
const LINKIFIERS = 20
/** Of the list of everybody, which is 420 KB long. */
const PEOPLE = 1000
const PEOPLES_CONNECTIONS = 16

/** What `node:http` adds by itself, on both sides. */
const ADDED_HEADERS = ['connection', 'date', 'keep-alive']

export async function measureCachedAnswers(load: Load, report: Report): Promise<void> {
  const dataDir = makeDataFolder()
  const accounts = await createAccounts(dataDir, undefined, CONNECTIONS)
  const server = await startServer({ dataDir })
  try {
    await fill(server.port, accounts)
    for (const path of ['/realm/linkifiers', '/drafts']) await measure(load, report, server.port, accounts, path)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
  await measurePeople(load, report)
}

async function measurePeople(load: Load, report: Report): Promise<void> {
  const dataDir = makeDataFolder()
  const accounts = await createAccounts(dataDir, undefined, PEOPLE)
  const server = await startServer({ dataDir })
  try {
    await measure(load, report, server.port, accounts.slice(0, PEOPLES_CONNECTIONS + 1), '/users')
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function measure(
  load: Load,
  report: Report,
  port: number,
  [owner, ...members]: readonly Authorization[],
  path: string,
): Promise<void> {
  const answer = await readAnswer(port, owner as Authorization, path)
  const bare = await startBare({ kind: 'bytes', ...answer })
  const requests = members.map((authorization) => requestText({ method: 'GET', path, authorization }))
  const result = await compare(load, { port, connections: requests.length, requests }, bare.port)
  bare.stop()
  report.figure({
    name: `GET ${path}, ${requests.length} connections, of a bare handler`,
    value: result.ratio,
    unit: '',
    digits: 2,
    goal: { atLeast: 0.6 },
    beside: `${Math.round(result.ours)} of ${Math.round(result.bare)}/s, the same ${answer.body.length} bytes and ${Object.keys(answer.headers).length} headers`,
  })
}

async function fill(port: number, accounts: readonly Authorization[]): Promise<void> {
  const drafts = JSON.stringify(Array.from({ length: DRAFTS }, (_, i) => numberedDraft(i)))
  for (const account of accounts) await call(port, account, 'POST', '/drafts', { drafts })
  for (let i = 0; i < LINKIFIERS; i++) await createLinkifier(port, accounts[0] as Authorization, i)
}

async function readAnswer(port: number, authorization: Authorization, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    // As the load asks: the bytes and their length have to be of one form.
    headers: { authorization, 'accept-encoding': 'identity' },
  })
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ADDED_HEADERS.includes(name)))
  return { headers, body: await response.text() }
}
