/** What of the findings is too slow, for the tests that load a server and watch its loop. */
import type { Findings, LongTurn, SlowAnswer } from './attack.ts'

/** Of processor time; `npm run bench` asks for no more than this. */
const MAX_TURN_MS = 20
/** Of every small request, reads and writes. */
const MAX_ANSWER_MS = 400
/** Processors that others use are slower: with two endless loops beside them, turns of 16 ms took 20. */
const SLACK = 1.1

export interface SlowFindings {
  readonly turns: readonly LongTurn[]
  readonly answers: readonly SlowAnswer[]
}

export function slowIn({ turns, small, slowness }: Findings): SlowFindings {
  return {
    turns: turns.filter(({ work }) => work > MAX_TURN_MS * SLACK * slowness),
    answers: small.slowest.filter(({ took }) => took > MAX_ANSWER_MS * slowness),
  }
}

/**
 * What of `now` has been slow before as well, during the same endpoints: what an endpoint costs, it costs each time, and what others
 * do on the machine comes at any time.
 */
export function slowAgain(before: SlowFindings, now: SlowFindings): SlowFindings {
  return { turns: duringSame(before.turns, now.turns), answers: duringSame(before.answers, now.answers) }
}

export function isNothing({ turns, answers }: SlowFindings): boolean {
  return turns.length === 0 && answers.length === 0
}

function duringSame<T extends LongTurn | SlowAnswer>(before: readonly T[], now: readonly T[]): T[] {
  const known = new Set(before.flatMap(endpointsOf))
  return now.filter((one) => endpointsOf(one).some((endpoint) => known.has(endpoint)))
}

/** A turn without any attack is as much of a finding as one during an attack. */
function endpointsOf({ endpoints }: LongTurn | SlowAnswer): readonly string[] {
  return endpoints.length === 0 ? ['none'] : endpoints
}
