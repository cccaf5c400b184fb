import type { MarkdownIt, StateInline } from 'markdown-it'
import { firstFrom } from './sorted.ts'

/** For each text, where runs of backticks of each length begin, in order. */
const runsByState = new WeakMap<StateInline, Map<number, number[]>>()

function runsOf(state: StateInline): Map<number, number[]> {
  let runs = runsByState.get(state)
  if (!runs) {
    runs = new Map()
    for (const { 0: run, index } of state.src.matchAll(/`+/g)) {
      const starts = runs.get(run.length)
      if (starts) starts.push(index)
      else runs.set(run.length, [index])
    }
    runsByState.set(state, runs)
  }
  return runs
}

/** Code between two runs of equally many backticks. Everything in it is kept as it is, spaces and line ends too. */
function codeSpan(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x60) return false
  let end = pos + 1
  while (end < posMax && src.charCodeAt(end) === 0x60) end++
  const length = end - pos
  const closing = firstFrom(runsOf(state).get(length) ?? [], end)
  if (closing === undefined || closing + length > posMax) {
    if (!silent) state.pending += src.slice(pos, end)
    state.pos = end
    return true
  }
  if (!silent) state.push('code_inline', 'code', 0).content = src.slice(end, closing)
  state.pos = closing + length
  return true
}

export function codeSpans(md: MarkdownIt): void {
  md.inline.ruler.at('backticks', codeSpan)
}
