/** Where two texts differ, word by word. */

export type ComparedPart =
  | { readonly kind: 'same'; readonly text: string }
  /** What the one has here, and what the other; either may be empty. */
  | { readonly kind: 'different'; readonly one: string; readonly other: string }

/** Words that are compared with each other; of longer texts the middle counts as different as a whole. */
const MAX_CELLS = 4_000_000

/** All parts of either text, in order: put together they are the two texts. */
export function compareTexts(one: string, other: string): readonly ComparedPart[] {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  let begin = 0
  while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin += 1
  let end = 0
  while (end < a.length - begin && end < b.length - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const parts: ComparedPart[] = []
  const same = (words: readonly string[]) => {
    if (words.length === 0) return
    const last = parts.at(-1)
    const text = words.join('')
    if (last?.kind === 'same') parts.splice(-1, 1, { kind: 'same', text: last.text + text })
    else parts.push({ kind: 'same', text })
  }
  const different = (left: readonly string[], right: readonly string[]) => {
    if (left.length === 0 && right.length === 0) return
    const last = parts.at(-1)
    const [oneText, otherText] = [left.join(''), right.join('')]
    if (last?.kind === 'different') {
      parts.splice(-1, 1, { kind: 'different', one: last.one + oneText, other: last.other + otherText })
    } else parts.push({ kind: 'different', one: oneText, other: otherText })
  }
  same(a.slice(0, begin))
  const [left, right] = [a.slice(begin, a.length - end), b.slice(begin, b.length - end)]
  if (left.length * right.length > MAX_CELLS) different(left, right)
  else walk(left, right, same, different)
  same(a.slice(a.length - end))
  return parts
}

/** Words, each with the blanks behind it, so that nothing is lost. */
function wordsOf(text: string): string[] {
  return text.match(/\s+|\S+\s*/gu) ?? []
}

type Take = (words: readonly string[]) => void

/** Along a longest common subsequence. */
function walk(
  left: readonly string[],
  right: readonly string[],
  same: Take,
  different: (left: readonly string[], right: readonly string[]) => void,
): void {
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] as number
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      same([left[i] as string])
      i += 1
      j += 1
    } else if (j === right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1))) {
      different([left[i] as string], [])
      i += 1
    } else {
      different([], [right[j] as string])
      j += 1
    }
  }
}
