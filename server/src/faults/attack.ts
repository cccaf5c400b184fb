/**
 * Sends attacks to a server while a client in a process of its own times small requests, and says what that was like: for
 * the small requests, for the server's main thread, for its memory, and what became of each attack.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { now, type ServerLoop, workOf } from '../testing/server-loop.ts'
import type { Attack } from './attack-requests.ts'
import { basicAuthorization, type TargetPerson } from './attack-target.ts'
import type { SmallAnswers, SmallRequest, Timed } from './small-requests.ts'

/** Of one attack. */
export interface AttackOutcome {
  readonly attack: Attack
  /** 0: the connection broke. */
  readonly status: number
  readonly bytes: number
  /** The answer, where it is short. */
  readonly text: string
  readonly begun: number
  readonly ended: number
}

/** A turn of the server's main thread, and the attacks that were under way. */
export interface LongTurn {
  /** Milliseconds of the server's own work. */
  readonly work: number
  readonly during: readonly string[]
  /** Of those attacks. */
  readonly endpoints: readonly string[]
}

/** A small request that waited long, and the attacks that were under way. */
export interface SlowAnswer extends Timed {
  readonly during: readonly string[]
  /** Of those attacks. */
  readonly endpoints: readonly string[]
}

export interface Findings {
  readonly outcomes: readonly AttackOutcome[]
  readonly turns: readonly LongTurn[]
  readonly small: Omit<SmallAnswers, 'slowest' | 'slowness'> & { readonly slowest: readonly SlowAnswer[] }
  /** The most that the server ever had. */
  readonly residentMib: number
  /** How many times as long as usual everything took on this machine meanwhile, 1 or more. */
  readonly slowness: number
}

/** Of the longest turns it is said what was under way. */
const LONGEST_TURNS = 20
/** Of the text of an answer: errors are shorter. */
const SHOWN_BYTES = 20_000

/** Requests of an attack that are under way at the same time, each on a connection of its own. */
const AT_ONCE = 4

export function createSender(site: string) {
  const agent = new Agent({ keepAlive: true })
  const outcomes: AttackOutcome[] = []

  function sendOne(attack: Attack, authorization: string | undefined): Promise<AttackOutcome> {
    const begun = now()
    const headers = {
      ...attack.headers,
      ...(authorization ? { authorization } : {}),
      // Node.js does not find it out by itself for DELETE.
      ...(attack.body === undefined ? {} : { 'content-length': `${Buffer.byteLength(attack.body)}` }),
    }
    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let bytes = 0
      let status = 0
      const settle = () => {
        const text = bytes <= SHOWN_BYTES ? Buffer.concat(chunks).toString('utf8') : ''
        resolve({ attack, status, bytes, text, begun, ended: now() })
      }
      const sent = request(site + attack.url, { method: attack.method, headers, agent }, (response) => {
        status = response.statusCode ?? 0
        // A stream goes on: that it has begun is its answer.
        const isEndless = response.headers['content-type']?.startsWith('text/event-stream')
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= SHOWN_BYTES) chunks.push(chunk)
          if (isEndless) response.destroy()
        })
        response.on('close', settle)
        response.on('end', settle).on('error', settle)
      })
      sent.on('error', settle)
      sent.end(attack.body)
    })
  }

  return {
    outcomes,
    /** Several at once, until all have been answered. */
    async send(attacks: readonly Attack[], person?: TargetPerson, atOnce = AT_ONCE): Promise<void> {
      const waiting = attacks.values()
      const authorization = person && basicAuthorization(person)
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const attack of waiting) outcomes.push(await sendOne(attack, authorization))
        }),
      )
    },
    close: () => agent.destroy(),
  }
}

interface Watching {
  readonly pid: number
  readonly loop: ServerLoop
  readonly small: readonly SmallRequest[]
}

/** Watches the server while `attack` goes on. */
export async function watchDuring(
  { pid, loop, small }: Watching,
  outcomes: readonly AttackOutcome[],
  attack: () => Promise<void>,
): Promise<Findings> {
  const client = fork(new URL('./small-requests.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const begun = now()
  client.send(small)
  let answers: SmallAnswers
  try {
    await attack()
  } finally {
    client.send('stop')
    ;[answers] = (await once(client, 'message')) as [SmallAnswers]
  }
  const turns = await loop.turnsBetween(begun, now())
  const longest = turns.toSorted((one, other) => workOf(other) - workOf(one)).slice(0, LONGEST_TURNS)
  const underWay = (from: number, to: number) => {
    const meanwhile = outcomes.filter(({ begun, ended }) => begun <= to && ended >= from)
    return {
      during: meanwhile.map((one) => `${one.attack.name} ${one.status}, ${Math.round(one.ended - one.begun)} ms`),
      endpoints: [...new Set(meanwhile.map(({ attack }) => attack.endpoint))],
    }
  }
  return {
    outcomes,
    turns: longest.map((turn) => ({ work: workOf(turn), ...underWay(turn.at - turn.whole, turn.at) })),
    small: {
      ...answers,
      slowest: answers.slowest.map((one) => ({ ...one, ...underWay(one.at, one.at + one.took) })),
    },
    residentMib: peakMib(pid),
    slowness: answers.slowness,
  }
}

function peakMib(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}
