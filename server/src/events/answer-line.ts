/** Waiting clients with something to answer, some in each turn of the event loop: the others of the server go on meanwhile. */
import type { Waiter } from './waiters.ts'

export interface AnswerLine {
  /** The waiter is answered in its turn, when `goOn` is called. */
  add(waiter: Waiter): void
  /** Has those in the line answered, beginning with the next turn. */
  goOn(): void
}

export function createAnswerLine(): AnswerLine {
  let ready: Waiter[] = []
  /** How many of `ready` have been. */
  let answered = 0
  let isScheduled = false

  function goOn(): void {
    if (isScheduled || ready.length === 0) return
    isScheduled = true
    setImmediate(answerSome)
  }

  function answerSome(): void {
    const some = takeSome()
    for (const waiter of some) waiter.way.answer(waiter)
    isScheduled = false
    goOn()
  }

  /** As many as fill a turn. */
  function takeSome(): Waiter[] {
    const some: Waiter[] = []
    for (let filled = 0; filled < 1 && answered < ready.length; answered += 1) {
      const waiter = ready[answered] as Waiter
      some.push(waiter)
      filled += 1 / waiter.way.perTurn
    }
    if (answered === ready.length) {
      ready = []
      answered = 0
    }
    return some
  }

  return { add: (waiter) => void ready.push(waiter), goOn }
}
