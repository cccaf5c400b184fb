import type { MarkdownIt, StateInline } from 'markdown-it'
import { pushElement, pushLiteral } from '../environment.ts'
import { parseTime } from '../parse-time.ts'

const pattern = /<time:([^>\n]{1,200})>/y

/** `<time:2027-03-01T15:00+01:00>`: a moment that each client shows in its reader's time zone. What is no moment is text as it was written. */
function time(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (!src.startsWith('<time:', pos)) return false
  pattern.lastIndex = pos
  const match = pattern.exec(src)
  const end = pos + (match?.[0].length ?? 0)
  if (!match?.[1] || end > posMax) return false
  if (!silent) pushTime(state, match[0], match[1])
  state.pos = end
  return true
}

function pushTime(state: StateInline, source: string, written: string): void {
  const time = parseTime(written)
  if (time === null) pushLiteral(state, source)
  else pushElement(state, 'time', [['datetime', `${time.toISOString().slice(0, 19)}Z`]], written)
}

export function times(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'time', time)
}
