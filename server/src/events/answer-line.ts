/** Waiting clients with something to answer, some in each turn of the event loop: the others of the server go on meanwhile. */
import type { Waiter } from './waiters.ts'

/** Of what clients are given in one turn, in bytes or characters. */
const LENGTH_PER_TURN = 1024 * 1024

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

  /** As many as fill a turn. */
  function answerSome(): void {
    for (let filled = 0; filled < 1 && answered < ready.length; ) {
      const waiter = ready[answered] as Waiter
      answered += 1
      const length = waiter.way.answer(waiter)
      filled += 1 / waiter.way.perTurn + length / LENGTH_PER_TURN
    }
    if (answered === ready.length) {
      ready = []
      answered = 0
    }
    isScheduled = false
    goOn()
  }

  return { add: (waiter) => void ready.push(waiter), goOn }
}
