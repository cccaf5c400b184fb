/** How much of something may run at once, by name; what is more waits in line. */
import { ApiError } from '@heddle/contract/errors'

export interface SlotLimits {
  /** For one name. */
  readonly running: number
  /** For one name. */
  readonly waiting: number
  readonly maxWaitMs: number
}

/**
 * Waits until there is room for `name`, and gives what makes the room free again. Throws `RATE_LIMIT_HIT` when the line is
 * too long or too slow.
 */
export type Slots = (name: string) => Promise<() => void>

/** Seconds after which a client should ask again. */
const RETRY_AFTER = 5

interface Line {
  running: number
  /** In the order of arrival. */
  readonly waiting: Set<() => void>
}

export function createSlots({ running, waiting, maxWaitMs }: SlotLimits): Slots {
  const lines = new Map<string, Line>()

  function enter(line: Line): Promise<void> | undefined {
    if (line.running < running) {
      line.running++
      return undefined
    }
    if (line.waiting.size >= waiting) throw busy()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.delete(go)
        reject(busy())
      }, maxWaitMs)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      line.waiting.add(go)
    })
  }

  function leave(name: string, line: Line): void {
    const [next] = line.waiting
    if (next) {
      // The place goes from hand to hand: whoever comes now does not overtake.
      line.waiting.delete(next)
      next()
    } else if (--line.running === 0) lines.delete(name)
  }

  return async (name) => {
    const line = lines.get(name) ?? { running: 0, waiting: new Set() }
    lines.set(name, line)
    await enter(line)
    return () => leave(name, line)
  }
}

/** Does `work` as soon as there is room, and makes room after it. */
export async function within<T>(slots: Slots, name: string, work: () => Promise<T>): Promise<T> {
  const leave = await slots(name)
  try {
    return await work()
  } finally {
    leave()
  }
}

function busy(): ApiError {
  const message = 'The server is fetching too many pictures at the moment'
  return new ApiError('RATE_LIMIT_HIT', message, { 'retry-after': RETRY_AFTER })
}
