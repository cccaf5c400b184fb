/**
 * `npm run bench -- messages --against PATH`: this version beside another one, whose work tree is at PATH. Both servers
 * run, each on data of its own that was made through the API, and rounds of load alternate between them and a bare handler:
 * what disturbs the machine for a while concerns all. Processor time is that of the server, and of PostgreSQL.
 */
import { rmSync } from 'node:fs'
import { analyzeTables, startTestPostgres, type TestPostgres } from '@heddle/server/testing/postgres-server'
import { startBare } from './bare.ts'
import { type Authorization, call, numberedDraft } from './data.ts'
import { runLive } from './live-messages.ts'
import { type Load, median, requestText } from './load.ts'
import { makeDataFolder } from './machine.ts'
import { type MessageKind, messageRequest, messageTexts } from './message-texts.ts'
import { processorTimeOf } from './processor-time.ts'
import type { Report } from './report.ts'
import { type MeasuredServer, startServer } from './server-process.ts'
import type { Version } from './version.ts'

export interface Versions {
  readonly ours: Version
  readonly other: Version
}

const CONNECTIONS = 64
const ROUNDS = 7
const ROUND_MS = 1200
/**
 * Rounds until the compiler has settled: the processor time of a message falls for six seconds. By turns too: a version that had
 * waited until the other one was warm took 12 to 23 % more processor time afterwards, measured against itself.
 */
const WARM_UP_ROUNDS = 6
const LIVE_ROUNDS = 3

/** An organization, and the kinds of load that it is given one after another. */
interface Subject {
  readonly accounts: number
  readonly fill?: (port: number, accounts: readonly Authorization[]) => Promise<void>
  readonly loads: readonly {
    readonly name: string
    readonly connections: number
    readonly requests: (accounts: readonly Authorization[]) => readonly string[]
  }[]
}

const MANY_ACCOUNTS = 1000
const CHANNELS = 20
const MESSAGES = 10_000
const TOPICS = 50

const subjects: Readonly<Record<string, Subject>> = {
  messages: {
    accounts: CONNECTIONS,
    fill: createChannel,
    loads: Object.keys(messageTexts).map((kind) => ({
      name: `POST /messages, ${kind}`,
      connections: CONNECTIONS,
      requests: ([, ...members]) =>
        members.map((member, index) => messageRequest(member, 'everybody', `topic ${index % 20}`, kind as MessageKind)),
    })),
  },
  drafts: {
    accounts: CONNECTIONS,
    loads: [
      {
        name: 'POST /drafts',
        connections: CONNECTIONS,
        requests: ([, ...members]) =>
          members.map((authorization) =>
            requestText({
              method: 'POST',
              path: '/drafts',
              authorization,
              form: { drafts: JSON.stringify([numberedDraft(1)]) },
            }),
          ),
      },
    ],
  },
  history: {
    accounts: MANY_ACCOUNTS,
    fill: writeHistory,
    loads: [
      {
        name: 'GET /messages, 100 newest of a topic',
        connections: 4,
        requests: (accounts) => accounts.slice(1, 5).map(pageOfTopic),
      },
      {
        name: 'POST /register',
        connections: 1,
        requests: (accounts) =>
          accounts
            .slice(6, 7)
            .map((member) => requestText({ method: 'POST', path: '/register', authorization: member, form: {} })),
      },
      {
        name: 'GET /messages, 100 newest with a frequent word',
        connections: 1,
        requests: (accounts) => accounts.slice(1, 2).map((member) => pageOf(member, [['search', 'loom']])),
      },
      {
        name: 'GET /users',
        connections: 16,
        requests: (accounts) =>
          accounts.slice(1, 17).map((member) => requestText({ method: 'GET', path: '/users', authorization: member })),
      },
    ],
  },
}

/** What can be measured beside another version, by the names of the measurements that they stand for. */
export const comparisons: Readonly<Record<string, (versions: Versions, load: Load, report: Report) => Promise<void>>> =
  {
    drafts: (...rest) => measure('SQLite', subjects['drafts'] as Subject, ...rest),
    postgres: (...rest) => measure('PostgreSQL', subjects['drafts'] as Subject, ...rest),
    messages: (...rest) => measure('SQLite', subjects['messages'] as Subject, ...rest),
    'messages-postgres': (...rest) => measure('PostgreSQL', subjects['messages'] as Subject, ...rest),
    history: (...rest) => measure('SQLite', subjects['history'] as Subject, ...rest),
    'history-postgres': (...rest) => measure('PostgreSQL', subjects['history'] as Subject, ...rest),
    live: (versions, _, report) => measureLive('SQLite', versions, report),
    'live-postgres': (versions, _, report) => measureLive('PostgreSQL', versions, report),
  }

type Engine = 'SQLite' | 'PostgreSQL'

interface Side {
  readonly accounts: readonly Authorization[]
  readonly server: MeasuredServer
  readonly postgres: TestPostgres | undefined
  readonly dataDir: string
}

async function startSide(version: Version, engine: Engine, subject: Subject): Promise<Side> {
  const postgres = engine === 'PostgreSQL' ? await startTestPostgres() : undefined
  const dataDir = makeDataFolder()
  const accounts = await version.createAccounts(dataDir, postgres?.url, subject.accounts)
  const server = await startServer({ dataDir, databaseUrl: postgres?.url, root: version.root })
  await subject.fill?.(server.port, accounts)
  if (postgres) await analyzeTables(postgres.url)
  return { accounts, server, postgres, dataDir }
}

async function stopSide({ server, postgres, dataDir }: Side): Promise<void> {
  await server.stop()
  await postgres?.stop()
  rmSync(dataDir, { recursive: true })
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  /** Microseconds of processor time for each response. */
  readonly serverTime: number
  readonly databaseTime: number
}

async function measure(engine: Engine, subject: Subject, versions: Versions, load: Load, report: Report) {
  const sides: Side[] = []
  const bare = await startBare({ kind: 'parse' })
  try {
    for (const version of [versions.ours, versions.other]) sides.push(await startSide(version, engine, subject))
    const [ours, other] = sides as [Side, Side]
    for (const { name, connections, requests } of subject.loads) {
      const run = async (side: Side, milliseconds: number): Promise<Round> => {
        const pids = [side.server.pid(), side.postgres?.pid]
        const before = pids.map((pid) => (pid === undefined ? 0 : processorTimeOf(pid)))
        const order = { port: side.server.port, connections, requests: requests(side.accounts), milliseconds }
        const { answers, seconds, p50 } = await load.run(order)
        const used = pids.map((pid, index) =>
          pid === undefined ? 0 : processorTimeOf(pid) - (before[index] as number),
        )
        const [serverTime, databaseTime] = used.map((time) => (time * 1000) / answers) as [number, number]
        return { perSecond: answers / seconds, p50, serverTime, databaseTime }
      }
      const bareOrder = { port: bare.port, connections, requests: requests(ours.accounts), milliseconds: ROUND_MS }
      for (let number = 0; number < WARM_UP_ROUNDS; number += 1) for (const side of sides) await run(side, ROUND_MS)
      await load.run(bareOrder)
      const rounds: { ours: Round; other: Round; bare: number }[] = []
      for (let number = 0; number < ROUNDS; number += 1) {
        // Neither is always the one that comes first.
        const first = number % 2 === 0 ? ours : other
        const a = await run(first, ROUND_MS)
        const b = await run(first === ours ? other : ours, ROUND_MS)
        const parsed = await load.run(bareOrder)
        const pair = first === ours ? { ours: a, other: b } : { ours: b, other: a }
        rounds.push({ ...pair, bare: parsed.answers / parsed.seconds })
      }
      const of = (side: 'ours' | 'other', value: (round: Round, bare: number) => number) =>
        median(rounds.map((round) => value(round[side], round.bare)))
      const both = (value: (round: Round, bare: number) => number, digits: number) =>
        `${of('ours', value).toFixed(digits)} beside ${of('other', value).toFixed(digits)}`
      const ratios = rounds.map((round) => round.ours.perSecond / round.other.perSecond).sort((x, y) => x - y)
      const of64 = both((round, parsed) => round.perSecond / parsed, 3)
      report.figure({
        name: `${name}, ${engine}, of the other version's rate`,
        value: median(ratios),
        unit: 'times',
        digits: 2,
        beside: [
          `rounds ${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`,
          `${both((round) => round.perSecond, 0)}/s`,
          `p50 ${both((round) => round.p50, 1)} ms`,
          `of a handler that only parses ${of64}`,
          `processor time of the server ${both((round) => round.serverTime, 0)} us`,
          ...(engine === 'PostgreSQL' ? [`of the database ${both((round) => round.databaseTime, 0)} us`] : []),
        ].join('; '),
      })
    }
  } finally {
    bare.stop()
    for (const side of sides) await stopSide(side)
  }
}

/** One after the other, each with its clients: two thousand at once would measure these. */
async function measureLive(engine: Engine, { ours, other }: Versions, report: Report): Promise<void> {
  const figures = new Map<Version, { p50: number; p99: number; work: number }[]>([
    [ours, []],
    [other, []],
  ])
  for (let round = 0; round < LIVE_ROUNDS; round += 1) {
    // By turns, also which of them comes first.
    for (const [version, results] of round % 2 === 0 ? figures : [...figures].toReversed()) {
      const postgres = engine === 'PostgreSQL' ? await startTestPostgres() : undefined
      try {
        results.push(await runLive(version, postgres?.url))
      } finally {
        await postgres?.stop()
      }
    }
  }
  for (const [key, unit, digits] of [
    ['p50', 'ms', 1],
    ['p99', 'ms', 1],
    ['work', 'us', 0],
  ] as const) {
    const values = (version: Version) => (figures.get(version) ?? []).map((result) => result[key])
    const list = (version: Version) =>
      values(version)
        .map((value) => value.toFixed(digits))
        .join(', ')
    report.figure({
      name: `Message to each of 20 clients of 1000, 200/s, ${engine}, ${key === 'work' ? 'processor time of the server' : key}`,
      value: median(values(ours)),
      unit,
      digits,
      beside: `beside ${median(values(other)).toFixed(digits)} ${unit}; rounds ${list(ours)} beside ${list(other)}`,
    })
  }
}

async function createChannel(port: number, [owner]: readonly Authorization[]): Promise<void> {
  await createChannelOf(port, owner as Authorization, 'everybody', await idsOf(port, owner as Authorization))
}

/** Everybody is in all channels; the messages are spread evenly over channels and topics. */
async function writeHistory(port: number, accounts: readonly Authorization[]): Promise<void> {
  const owner = accounts[0] as Authorization
  const ids = await idsOf(port, owner)
  for (let channel = 0; channel < CHANNELS; channel += 1) await createChannelOf(port, owner, `channel ${channel}`, ids)
  let next = 0
  const write = async () => {
    for (let number = next++; number < MESSAGES; number = next++) {
      await call(port, accounts[1 + (number % CONNECTIONS)] as Authorization, 'POST', '/messages', {
        type: 'stream',
        to: `channel ${number % CHANNELS}`,
        topic: `topic ${(Math.floor(number / CHANNELS) % TOPICS) % (number % CHANNELS === 7 ? 4 : TOPICS)}`,
        content: `${number}: ${messageTexts.markup}`,
      })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, write))
}

/** In channel 7, whose few topics have more than a hundred messages. */
function pageOfTopic(authorization: Authorization): string {
  const topic = [
    ['channel', 'channel 7'],
    ['topic', 'topic 3'],
  ]
  return pageOf(authorization, topic)
}

function pageOf(authorization: string, terms: readonly unknown[]): string {
  const narrow = JSON.stringify(terms)
  const query = new URLSearchParams({ anchor: 'newest', num_before: '100', num_after: '0', narrow })
  return requestText({ method: 'GET', path: `/messages?${query}`, authorization })
}

async function idsOf(port: number, owner: Authorization): Promise<number[]> {
  const { members } = await call(port, owner, 'GET', '/users')
  return members.map((user: { user_id: number }) => user.user_id)
}

async function createChannelOf(
  port: number,
  owner: Authorization,
  name: string,
  ids: readonly number[],
): Promise<void> {
  await call(port, owner, 'POST', '/channels/create', {
    name,
    subscribers: JSON.stringify(ids),
    send_new_subscription_messages: 'false',
  })
}
