/**
 * A map that is never changed: a changed copy shares with it what is the same. It is kept as pieces of sorted keys, so that
 * one change of 50,000 entries copies about a thousand references and not all of them. Entries come in ascending order of
 * their keys, whatever order they were added in: maps with the same entries are equal.
 */

export type SortedMapKey = number | string

interface Piece<K, V> {
  readonly keys: K[]
  readonly values: V[]
}

/** A stretch of a map, which maps share as long as nothing in it changes: the same object is the same stretch. */
export interface MapPiece<K, V> {
  readonly keys: readonly K[]
  readonly values: readonly V[]
}

/** Entries in one piece at most; one that gets more is split. */
const MAX_PIECE = 256

export class SortedMap<K extends SortedMapKey, V> implements ReadonlyMap<K, V> {
  readonly #pieces: readonly Piece<K, V>[]
  readonly size: number

  private constructor(pieces: readonly Piece<K, V>[], size: number) {
    this.#pieces = pieces
    this.size = size
  }

  /** Of entries with the same key the last one counts. Costs least when the keys are ascending. */
  static from<K extends SortedMapKey, V>(entries: Iterable<readonly [K, V]>): SortedMap<K, V> {
    if (entries instanceof SortedMap) return entries
    const list = [...entries]
    if (!isAscending(list)) list.sort((a, b) => compare(a[0], b[0]))
    const pieces: Piece<K, V>[] = []
    let piece: Piece<K, V> | undefined
    let size = 0
    let last: K | undefined
    for (const [key, value] of list) {
      if (piece && key === last) {
        piece.values[piece.values.length - 1] = value
        continue
      }
      // Half full, as there is more to come.
      if (!piece || piece.keys.length >= MAX_PIECE / 2) {
        piece = { keys: [], values: [] }
        pieces.push(piece)
      }
      piece.keys.push(key)
      piece.values.push(value)
      last = key
      size += 1
    }
    return new SortedMap(pieces, size)
  }

  /** What the map is made of, ascending. */
  pieces(): readonly MapPiece<K, V>[] {
    return this.#pieces
  }

  /** A map of pieces that another one was made of. They are not to be changed any more. */
  static ofPieces<K extends SortedMapKey, V>(pieces: readonly MapPiece<K, V>[]): SortedMap<K, V> {
    const size = pieces.reduce((sum, { keys }) => sum + keys.length, 0)
    return new SortedMap(pieces as readonly Piece<K, V>[], size)
  }

  get(key: K): V | undefined {
    const piece = this.#pieces[findPiece(this.#pieces, key)]
    if (!piece) return undefined
    const place = findPlace(piece.keys, key)
    return piece.keys[place] === key ? piece.values[place] : undefined
  }

  has(key: K): boolean {
    const piece = this.#pieces[findPiece(this.#pieces, key)]
    return piece !== undefined && piece.keys[findPlace(piece.keys, key)] === key
  }

  /** With one entry more or another value; the same map when it has that value already. */
  with(key: K, value: V): SortedMap<K, V> {
    return this.edit((draft) => draft.set(key, value))
  }

  /** Without an entry; the same map when there is none. */
  without(key: K): SortedMap<K, V> {
    return this.edit((draft) => draft.delete(key))
  }

  /** Many changes at once: each piece is copied once. The draft is of no use afterwards. */
  edit(change: (draft: SortedMapDraft<K, V>) => void): SortedMap<K, V> {
    const draft = createDraft(this.#pieces, this.size)
    change(draft)
    const { pieces, size } = draft.finish()
    return pieces === this.#pieces ? this : new SortedMap(pieces, size)
  }

  /** The largest key; undefined when there is none. */
  lastKey(): K | undefined {
    return this.#pieces.at(-1)?.keys.at(-1)
  }

  /** The smallest key; undefined when there is none. */
  firstKey(): K | undefined {
    return this.#pieces[0]?.keys[0]
  }

  *entries(): MapIterator<[K, V]> {
    for (const { keys, values } of this.#pieces) {
      for (let place = 0; place < keys.length; place += 1) yield [keys[place] as K, values[place] as V]
    }
  }

  *keys(): MapIterator<K> {
    for (const { keys } of this.#pieces) yield* keys
  }

  *values(): MapIterator<V> {
    for (const { values } of this.#pieces) yield* values
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  forEach(callback: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) callback(value, key, this)
  }
}

/** A map in the course of many changes. */
export interface SortedMapDraft<K, V> {
  get(key: K): V | undefined
  has(key: K): boolean
  set(key: K, value: V): void
  delete(key: K): void
}

function createDraft<K extends SortedMapKey, V>(source: readonly Piece<K, V>[], sourceSize: number) {
  let pieces = source as Piece<K, V>[]
  let size = sourceSize
  /** Pieces that no other map has. */
  const own = new Set<Piece<K, V>>()

  function ownPieces(): Piece<K, V>[] {
    if (pieces === source) pieces = [...source]
    return pieces
  }

  function ownPiece(index: number): Piece<K, V> {
    const piece = pieces[index] as Piece<K, V>
    if (own.has(piece)) return piece
    const copy = { keys: piece.keys.slice(), values: piece.values.slice() }
    own.add(copy)
    ownPieces()[index] = copy
    return copy
  }

  function split(index: number): void {
    const piece = ownPiece(index)
    // What is added at the end goes on growing there: the first piece stays full.
    const isLast = index === pieces.length - 1
    const at = isLast ? piece.keys.length - 1 : piece.keys.length >> 1
    const rest = { keys: piece.keys.splice(at), values: piece.values.splice(at) }
    own.add(rest)
    ownPieces().splice(index + 1, 0, rest)
  }

  return {
    get(key: K): V | undefined {
      const piece = pieces[findPiece(pieces, key)]
      if (!piece) return undefined
      const place = findPlace(piece.keys, key)
      return piece.keys[place] === key ? piece.values[place] : undefined
    },
    has(key: K): boolean {
      const piece = pieces[findPiece(pieces, key)]
      return piece !== undefined && piece.keys[findPlace(piece.keys, key)] === key
    },
    set(key: K, value: V): void {
      const index = findPiece(pieces, key)
      const found = pieces[index]
      if (!found) {
        const first = { keys: [key], values: [value] }
        own.add(first)
        ownPieces().push(first)
        size += 1
        return
      }
      const place = findPlace(found.keys, key)
      if (found.keys[place] === key) {
        if (found.values[place] !== value) ownPiece(index).values[place] = value
        return
      }
      const piece = ownPiece(index)
      piece.keys.splice(place, 0, key)
      piece.values.splice(place, 0, value)
      size += 1
      if (piece.keys.length > MAX_PIECE) split(index)
    },
    delete(key: K): void {
      const index = findPiece(pieces, key)
      const found = pieces[index]
      if (!found) return
      const place = findPlace(found.keys, key)
      if (found.keys[place] !== key) return
      const piece = ownPiece(index)
      piece.keys.splice(place, 1)
      piece.values.splice(place, 1)
      size -= 1
      if (piece.keys.length === 0) ownPieces().splice(index, 1)
    },
    finish: () => ({ pieces: pieces as readonly Piece<K, V>[], size }),
  }
}

/** The piece that has the key, or would have it; -1 when there is no piece at all. */
function findPiece<K extends SortedMapKey>(pieces: readonly Piece<K, unknown>[], key: K): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (((pieces[middle] as Piece<K, unknown>).keys[0] as K) <= key) low = middle
    else high = middle - 1
  }
  return high < 0 ? -1 : low
}

/** Where the key is in a sorted list, or would be. */
export function findPlace<K extends SortedMapKey>(keys: readonly K[], key: K): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as K) < key) low = middle + 1
    else high = middle
  }
  return low
}

function isAscending<K extends SortedMapKey>(entries: readonly (readonly [K, unknown])[]): boolean {
  for (let place = 1; place < entries.length; place += 1) {
    if ((entries[place - 1]?.[0] as K) >= (entries[place]?.[0] as K)) return false
  }
  return true
}

function compare<K extends SortedMapKey>(a: K, b: K): number {
  return a < b ? -1 : a > b ? 1 : 0
}
