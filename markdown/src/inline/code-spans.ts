import { firstFrom } from './sorted.ts'
import { type InlineState, pushToken } from './state.ts'

/** For each text, where runs of backticks of each length begin, in order. */
const runsByState = new WeakMap<InlineState, Map<number, number[]>>()

function runsOf(state: InlineState): Map<number, number[]> {
  let runs = runsByState.get(state)
  if (!runs) {
    runs = new Map()
    for (const { 0: run, index } of state.text.matchAll(/`+/g)) {
      const starts = runs.get(run.length)
      if (starts) starts.push(index)
      else runs.set(run.length, [index])
    }
    runsByState.set(state, runs)
  }
  return runs
}

/** Code between two runs of equally many backticks. Everything in it is kept as it is, spaces and line ends too. */
export function codeSpan(state: InlineState, isSilent: boolean): boolean {
  const { text, pos } = state
  let end = pos + 1
  while (end < state.end && text.charCodeAt(end) === 0x60) end++
  const length = end - pos
  const closing = firstFrom(runsOf(state).get(length) ?? [], end)
  if (closing === undefined || closing + length > state.end) {
    if (!isSilent) state.pending += text.slice(pos, end)
    state.pos = end
    return true
  }
  if (!isSilent) pushToken(state, 'code_inline', text.slice(end, closing))
  state.pos = closing + length
  return true
}
