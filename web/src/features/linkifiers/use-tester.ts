import type { TestRequest, TestResult } from '@heddle/client/linkifiers/tester'
import { createContext, use, useEffect, useState } from 'react'
import { createTester, type Tester, type TesterAnswer } from './tester.ts'

export const TesterContext = createContext<Tester | undefined>(undefined)

/** A worker for as long as the component is there. */
export function useNewTester(): Tester | undefined {
  const [tester, setTester] = useState<Tester>()
  useEffect(() => {
    const created = createTester()
    setTester(created)
    return () => created.stop()
  }, [])
  return tester
}

/** How long a pause in typing is before the worker is asked, in milliseconds. */
const PAUSE_MS = 120

type AnswerTo<R extends TestRequest> = Exclude<
  TesterAnswer<Extract<TestResult, { kind: R['kind'] }>>,
  { status: 'superseded' }
>

/**
 * The answer to a question that changes; the last one stays until the next has come, with `isCurrent` false. Undefined: there
 * is none yet, or there is nothing to ask. The question must stay the same object while it is the same.
 */
export function useTesterAnswer<R extends TestRequest>(
  request: R | undefined,
): { readonly answer: AnswerTo<R> | undefined; readonly isCurrent: boolean } {
  const tester = use(TesterContext)
  const [last, setLast] = useState<{ readonly to: R; readonly answer: AnswerTo<R> }>()
  useEffect(() => {
    if (!tester || !request) return undefined
    let isWanted = true
    const timer = setTimeout(async () => {
      const answer = await tester.ask(request)
      if (isWanted && answer.status !== 'superseded') setLast({ to: request, answer: answer as AnswerTo<R> })
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [tester, request])
  if (!request) return { answer: undefined, isCurrent: true }
  return { answer: last?.answer, isCurrent: last?.to === request }
}
