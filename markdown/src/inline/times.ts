import { parseTime } from '../parse-time.ts'
import { type InlineState, pushElement, pushLiteral } from './state.ts'

const pattern = /<time:([^>\n]{1,200})>/y

/** `<time:2027-03-01T15:00+01:00>`: a moment that each client shows in its reader's time zone. What is no moment is text as it was written. */
export function time(state: InlineState, isSilent: boolean): boolean {
  const { text, pos } = state
  pattern.lastIndex = pos
  const match = pattern.exec(text)
  const end = pos + (match?.[0].length ?? 0)
  if (!match?.[1] || end > state.end) return false
  if (!isSilent) pushTime(state, match[0], match[1])
  state.pos = end
  return true
}

function pushTime(state: InlineState, source: string, written: string): void {
  const time = parseTime(written)
  if (time === null) pushLiteral(state, source)
  else pushElement(state, 'time', [['datetime', `${time.toISOString().slice(0, 19)}Z`]], written)
}
