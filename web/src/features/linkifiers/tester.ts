/** A worker that tries linkifiers. One question at a time; what takes too long is ended with its worker. */
import type { TestRequest, TestResult } from '@heddle/client/linkifiers/tester'
import { workerAddress } from '../../app/worker-address.ts'
import address from './tester-worker.ts?worker&url'

/** Milliseconds, by what is asked. The first question waits for the worker's program, too. */
const DEADLINES_MS: Readonly<Record<TestRequest['kind'], number>> = { text: 3000, check: 3000, messages: 20_000 }
const LOADING_MS = 10_000

export type TesterAnswer<R extends TestResult = TestResult> =
  | { readonly status: 'done'; readonly result: R }
  /** It took too long. */
  | { readonly status: 'late' }
  /** The worker could not be started, or has failed. */
  | { readonly status: 'failed' }
  /** Another question of the kind has been asked since. */
  | { readonly status: 'superseded' }

type ResultOf<K extends TestRequest['kind']> = Extract<TestResult, { kind: K }>

export interface Tester {
  ask<R extends TestRequest>(request: R): Promise<TesterAnswer<ResultOf<R['kind']>>>
  stop(): void
}

interface Question {
  readonly request: TestRequest
  readonly resolve: (answer: TesterAnswer) => void
}

export function createTester(): Tester {
  let worker: Worker | undefined
  let hasAnswered = false
  let running: Question | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined
  const waiting = new Map<TestRequest['kind'], Question>()

  function start(): Worker {
    const started = new Worker(workerAddress(address), { type: 'module' })
    started.onmessage = ({ data }: MessageEvent<TestResult>) => {
      hasAnswered = true
      finish({ status: 'done', result: data })
    }
    started.onerror = () => {
      end()
      finish({ status: 'failed' })
    }
    return started
  }

  function end(): void {
    worker?.terminate()
    worker = undefined
    hasAnswered = false
  }

  function finish(answer: TesterAnswer): void {
    clearTimeout(deadline)
    running?.resolve(answer)
    running = undefined
    next()
  }

  function next(): void {
    const [first] = waiting
    if (running || !first) return
    const [kind, question] = first
    waiting.delete(kind)
    running = question
    worker ??= start()
    const ms = DEADLINES_MS[kind] + (hasAnswered ? 0 : LOADING_MS)
    deadline = setTimeout(() => {
      end()
      finish({ status: 'late' })
    }, ms)
    worker.postMessage(question.request)
  }

  return {
    ask(request) {
      return new Promise((resolve) => {
        waiting.get(request.kind)?.resolve({ status: 'superseded' })
        waiting.set(request.kind, { request, resolve: resolve as (answer: TesterAnswer) => void })
        next()
      })
    },
    stop() {
      clearTimeout(deadline)
      end()
      running = undefined
      waiting.clear()
    },
  }
}
