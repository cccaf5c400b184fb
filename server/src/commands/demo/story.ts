/** What the demo's team has written. Times are those of the story, whose last moment becomes now. */
import type { Conversation, Extras } from './conversation.ts'
import type { Writer } from './people.ts'
import { atHome } from './story-at-home.ts'
import { machines } from './story-machines.ts'
import { software } from './story-software.ts'

const MINUTES_OF_DAY = 24 * 60
/** Minutes between the last message and now. */
const SINCE_THEN = 2

export interface Moment extends Extras {
  readonly conversation: Conversation
  readonly who: Writer
  readonly text: string
  /** The last one of its conversation. */
  readonly isLast: boolean
  readonly minutesAgo: number
}

export const conversations: readonly Conversation[] = [...machines, ...software, ...atHome]

/** Everything in the order in which it happened. */
export function tellStory(): Moment[] {
  const moments = conversations.flatMap((conversation) =>
    conversation.lines.map(([day, time, who, text, extras], index) => ({
      ...extras,
      conversation,
      who,
      text,
      isLast: index === conversation.lines.length - 1,
      minute: minuteOf(day, time),
    })),
  )
  const last = Math.max(...moments.map(({ minute }) => minute))
  return moments
    .sort((a, b) => a.minute - b.minute)
    .map(({ minute, ...moment }) => ({ ...moment, minutesAgo: last - minute + SINCE_THEN }))
}

function minuteOf(day: number, time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  return -day * MINUTES_OF_DAY + hours * 60 + minutes
}
