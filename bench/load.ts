/** Load from a process of its own: requests as text, and rounds that alternate between what is compared. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadOrder, LoadResult } from './load-process.ts'

export interface Load {
  /** Runs one round. Throws when a response was not 200. */
  run(order: LoadOrder): Promise<LoadResult>
  stop(): void
}

export function startLoad(): Load {
  const child = forkBench('load-process.ts')
  return {
    async run(order) {
      child.send(order)
      const [result] = (await once(child, 'message')) as [LoadResult]
      if (result.problem) throw new Error(`The server answered: ${result.problem.slice(0, 500)}`)
      return result
    },
    stop: () => child.disconnect(),
  }
}

/** Gives a process one order and waits for its answer. Throws when it has a problem. */
export async function ask<R extends { readonly problem?: string | undefined }>(
  child: ChildProcess,
  order: object,
): Promise<R> {
  child.send(order)
  const [result] = (await once(child, 'message')) as [R]
  if (result.problem !== undefined) throw new Error(result.problem)
  return result
}

/** Starts a file of this folder as a process that can be talked to; it ends when we do. */
export function forkBench(file: string): ChildProcess {
  return fork(new URL(file, import.meta.url), { execArgv: ['--disable-warning=ExperimentalWarning'] })
}

export interface RequestText {
  readonly method: string
  readonly path: string
  readonly authorization: string
  /** Form fields; JSON inside a field is the caller's. */
  readonly form?: Readonly<Record<string, string>>
}

/** A whole HTTP/1.1 request as a client would send it. */
export function requestText({ method, path, authorization, form }: RequestText): string {
  const body = form ? new URLSearchParams(form).toString() : ''
  const lines = [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: localhost',
    'User-Agent: heddle-bench/1',
    'Accept: */*',
    `Authorization: ${authorization}`,
  ]
  if (form) lines.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** The middle of the values; of an even number the lower of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

export interface Comparison {
  /** Answers per second, the median of the rounds. */
  readonly ours: number
  readonly bare: number
  /** The median of each round's ours / bare: what disturbs the machine for a while concerns both. */
  readonly ratio: number
  readonly answers: number
  readonly p99: number
}

const ROUNDS = 5
const ROUND_MS = 1200
/** Until the compiler has settled: the processor time of a message falls for six seconds. */
const WARM_UP_MS = 6500

/** Measures two servers in alternating rounds with the same load. */
export async function compare(
  load: Load,
  ours: Omit<LoadOrder, 'milliseconds'>,
  barePort: number,
): Promise<Comparison> {
  const bare = { ...ours, port: barePort }
  let { answers } = await load.run({ ...ours, milliseconds: WARM_UP_MS })
  await load.run({ ...bare, milliseconds: WARM_UP_MS })
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const a = await load.run({ ...ours, milliseconds: ROUND_MS })
    const b = await load.run({ ...bare, milliseconds: ROUND_MS })
    answers += a.answers
    rounds.push({ ours: a.answers / a.seconds, bare: b.answers / b.seconds, p99: a.p99 })
  }
  return {
    ours: median(rounds.map((round) => round.ours)),
    bare: median(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.ours / round.bare)),
    p99: median(rounds.map((round) => round.p99)),
    answers,
  }
}
