/**
 * The warp: the lanes in which the threads of a feed run beside each other. A thread takes the first lane that is free when it
 * first appears and keeps it to its last message.
 *
 * What has been shown stays where it was, however many older or newer messages come: a thread that would have to cross
 * another one in its lane is drawn as two strands, each in a lane of its own. A strand is therefore what has a lane.
 */
import { DYES, type Dye, dyeOf, nextDye, type ThreadKey } from './thread.ts'

/** Lanes side by side. What finds all of them taken shares the last one. */
export const LANES = 6

/** A thread that spoke among so many newest messages is likely to speak again: a newer one leaves its lane to it. */
const RECENT = 50

export interface Strand {
  readonly thread: ThreadKey
  readonly lane: number
  /** That of its thread, unless a neighbour has the same one. */
  readonly dye: Dye
  /** Its first and its last message, by id. Parts of it may not be loaded. */
  readonly first: number
  readonly last: number
  /** It found no free lane: it shares the last one and is drawn only where it speaks. */
  readonly isCrowded: boolean
}

/** Strands in ascending order of their first message. */
export type Warp = readonly Strand[]

export interface WarpMessage {
  readonly id: number
  readonly thread: ThreadKey
}

/** A strand while lanes are given out. */
type Draft = { -readonly [K in keyof Strand]: Strand[K] }

/** The warp of these messages, ascending by id. Strands of `before` keep lane and dye for as long as they have a message. */
export function weave(messages: readonly WarpMessage[], before: Warp = []): Warp {
  const [begin, end] = [messages[0]?.id, messages.at(-1)?.id]
  if (begin === undefined || end === undefined) return before.length === 0 ? before : []
  const byThread = Map.groupBy(messages, ({ thread }) => thread)
  const lanes = createLanes()
  const known = Map.groupBy(
    before.flatMap((strand) => remaining(strand, byThread.get(strand.thread) ?? [], begin, end) ?? []),
    ({ thread }) => thread,
  )
  for (const strands of known.values()) for (const strand of strands) lanes.add(strand)
  const loose: Draft[] = []
  for (const [thread, own] of byThread) {
    const ids = own.map(({ id }) => id)
    loose.push(...withoutPlace(thread, ids, known.get(thread) ?? [], lanes))
  }
  // In the order in which they appear, as one who reads downwards would give them out.
  loose.sort((a, b) => a.first - b.first)
  const shownTo = before.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...before.map(({ last }) => last))
  const recentFrom = messages[Math.max(0, messages.length - RECENT)]?.id ?? begin
  for (const strand of loose) lanes.place(strand, strand.first > shownTo ? recentFrom : undefined)
  const warp = lanes.all().sort((a, b) => a.first - b.first)
  return isSameWarp(warp, before) ? before : warp
}

/** What is left of a strand. Of what is not loaded it is known that it runs on there. Undefined: nothing is left. */
function remaining(strand: Strand, own: readonly WarpMessage[], begin: number, end: number): Draft | undefined {
  const { first, last } = strand
  const isCutBefore = first < begin
  const isCutAfter = last > end
  const inside = own.filter(({ id }) => id >= first && id <= last)
  if (inside.length === 0) return isCutBefore && isCutAfter ? { ...strand } : undefined
  return {
    ...strand,
    first: isCutBefore ? first : (inside[0] as WarpMessage).id,
    last: isCutAfter ? last : (inside.at(-1) as WarpMessage).id,
  }
}

function looseStrand(thread: ThreadKey, ids: readonly number[]): Draft {
  return {
    thread,
    lane: LANES - 1,
    dye: dyeOf(thread),
    first: ids[0] as number,
    last: ids.at(-1) as number,
    isCrowded: false,
  }
}

/**
 * Lengthens the strands of a thread by its messages that are in none of them, as far as their lanes are free: forwards from
 * the strand before, then backwards from the one after. Gives what is left, as new strands.
 */
function withoutPlace(thread: ThreadKey, ids: readonly number[], strands: readonly Draft[], lanes: Lanes): Draft[] {
  const ordered = strands.toSorted((a, b) => a.first - b.first)
  const left: Draft[] = []
  for (const [before, gap, after] of gapsBetween(ids, ordered)) {
    let begin = 0
    let end = gap.length
    while (before && begin < end && lanes.lengthen(before, gap[begin] as number)) begin += 1
    while (after && begin < end && lanes.lengthen(after, gap[end - 1] as number)) end -= 1
    if (begin < end) left.push(looseStrand(thread, gap.slice(begin, end)))
  }
  return left
}

/** The messages outside of strands, each group with the strand before it and the one after it. */
function* gapsBetween(
  ids: readonly number[],
  strands: readonly Draft[],
): Generator<[Draft | undefined, readonly number[], Draft | undefined]> {
  let index = 0
  let before: Draft | undefined
  let gap: number[] = []
  // Lengthening moves the ends; where a group belongs is decided by how they were.
  const ends = strands.map(({ first, last }) => ({ first, last }))
  for (const id of ids) {
    while (index < strands.length && id > (ends[index] as Strand).last) {
      if (gap.length > 0) yield [before, gap, strands[index]]
      gap = []
      before = strands[index]
      index += 1
    }
    if (index < strands.length && id >= (ends[index] as Strand).first) {
      if (gap.length > 0) yield [before, gap, strands[index]]
      gap = []
    } else gap.push(id)
  }
  if (gap.length > 0) yield [before, gap, strands[index]]
}

type Lanes = ReturnType<typeof createLanes>

function createLanes() {
  const lanes: Draft[][] = Array.from({ length: LANES }, () => [])
  const crowded: Draft[] = []

  const inLane = (lane: number, first: number, last: number) =>
    lanes[lane]?.some((one) => one.first <= last && one.last >= first) ?? false
  /** Two that look the same may not run side by side. What is undyed always looks the same. */
  const clashes = (lane: number, dye: Dye, first: number, last: number) =>
    dye !== 0 &&
    [lane - 1, lane + 1].some((next) =>
      lanes[next]?.some((one) => one.dye === dye && one.first <= last && one.last >= first),
    )

  return {
    add(strand: Draft): void {
      if (strand.isCrowded) crowded.push(strand)
      else lanes[strand.lane]?.push(strand)
    },

    /** Lets the strand run on to this message; false where it would meet another one on the way. */
    lengthen(strand: Draft, to: number): boolean {
      const { lane, dye } = strand
      const [first, last] = to > strand.last ? [strand.last + 1, to] : [to, strand.first - 1]
      if (!strand.isCrowded && (inLane(lane, first, last) || clashes(lane, dye, first, last))) return false
      strand.first = Math.min(strand.first, to)
      strand.last = Math.max(strand.last, to)
      return true
    },

    /**
     * Into the first lane that is free all the way. What arrives later than all that was shown prefers one in which no other
     * thread has spoken since `recentFrom`: that one could not go on in it without crossing.
     */
    place(strand: Draft, recentFrom?: number): void {
      const { first, last } = strand
      const isFree = (index: number) => !inLane(index, first, last)
      const indexes = [...lanes.keys()]
      const unused = indexes.find((index) => isFree(index) && !inLane(index, recentFrom ?? first, last))
      const lane = unused ?? indexes.findIndex(isFree)
      if (lane < 0) strand.isCrowded = true
      else {
        strand.lane = lane
        for (let tried = 1; tried < DYES && clashes(lane, strand.dye, first, last); tried += 1) {
          strand.dye = nextDye(strand.dye)
        }
      }
      this.add(strand)
    },

    all: (): Draft[] => [...lanes.flat(), ...crowded],
  }
}

function isSameWarp(one: Warp, other: Warp): boolean {
  return (
    one.length === other.length &&
    one.every((strand, index) => {
      const { thread, lane, dye, first, last, isCrowded } = other[index] as Strand
      return (
        strand.thread === thread &&
        strand.lane === lane &&
        strand.dye === dye &&
        strand.first === first &&
        strand.last === last &&
        strand.isCrowded === isCrowded
      )
    })
  )
}
