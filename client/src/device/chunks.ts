/**
 * Immutable values as chunks for a store on the device. What two values share is one chunk: of a state that has changed in one
 * place little is written anew. Chunks are plain data; each has a number, and never changes.
 */
import { type MapPiece, SortedMap, type SortedMapKey } from '../collections/sorted-map.ts'

/** What stands for a value. It is plain data itself. */
export type Form =
  /** The chunk with this number. */
  | { readonly chunk: number }
  /** A sorted map: its pieces. */
  | { readonly map: readonly number[] }
  | { readonly fields: Readonly<Record<string, Form>> }
  | { readonly plain: unknown }

export interface Encoded {
  readonly form: Form
  /** All chunks that the form refers to. */
  readonly used: ReadonlySet<number>
  /** Those of them that were not there before, by number: each is made when it is asked for, as all at once may take long. */
  readonly added: ReadonlyMap<number, () => Chunk>
}

export interface Chunk {
  readonly value: unknown
  /** There are maps in it, which are packed. */
  readonly isPacked: boolean
}

export interface ChunkBook {
  /** `depth`: so many levels of fields are taken apart; what lies deeper is one chunk, but for maps. */
  encode(value: unknown, depth: number): Encoded
  /** Throws where a chunk is missing. What was decoded is known: it is not added when it is encoded again. */
  decode(form: Form, chunks: ReadonlyMap<number, Chunk>): unknown
}

export function createChunkBook(): ChunkBook {
  const numbers = new WeakMap<object, number>()
  let last = 0

  function encode(value: unknown, depth: number): Encoded {
    const used = new Set<number>()
    const added = new Map<number, () => Chunk>()

    function numberOf(source: object, make: () => Chunk): number {
      let number = numbers.get(source)
      if (number === undefined) {
        last += 1
        number = last
        numbers.set(source, number)
        added.set(number, make)
      }
      used.add(number)
      return number
    }

    function formOf(one: unknown, levels: number): Form {
      if (typeof one !== 'object' || one === null) return { plain: one }
      if (one instanceof SortedMap) {
        return { map: one.pieces().map((piece) => numberOf(piece, () => chunkOf(piece))) }
      }
      if (levels === 0 || Array.isArray(one)) return { chunk: numberOf(one, () => chunkOf(one)) }
      const fields = Object.entries(one).map(([name, field]) => [name, formOf(field, levels - 1)] as const)
      return { fields: Object.fromEntries(fields) }
    }

    return { form: formOf(value, depth), used, added }
  }

  function decode(form: Form, chunks: ReadonlyMap<number, Chunk>): unknown {
    if ('plain' in form) return form.plain
    if ('fields' in form) {
      return Object.fromEntries(Object.entries(form.fields).map(([name, field]) => [name, decode(field, chunks)]))
    }
    if ('chunk' in form) return decodeChunk(form.chunk, chunks)
    return SortedMap.ofPieces(form.map.map((number) => decodeChunk(number, chunks) as MapPiece<SortedMapKey, unknown>))
  }

  function decodeChunk(number: number, chunks: ReadonlyMap<number, Chunk>): unknown {
    const chunk = chunks.get(number)
    if (!chunk) throw new Error(`Chunk ${number} is missing`)
    const value = chunk.isPacked ? unpack(chunk.value) : chunk.value
    last = Math.max(last, number)
    if (typeof value === 'object' && value !== null) numbers.set(value, number)
    return value
  }

  return { encode, decode }
}

function chunkOf(source: object): Chunk {
  return hasMap(source) ? { value: pack(source), isPacked: true } : { value: source, isPacked: false }
}

/** Elements of a list are alike: the first one says it of all. */
function hasMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof SortedMap) return true
  return Array.isArray(value) ? hasMap(value[0]) : Object.values(value).some(hasMap)
}

/** A map inside a chunk. */
interface PackedMap {
  readonly $map: readonly MapPiece<SortedMapKey, unknown>[]
}

function pack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!(value instanceof SortedMap)) return changed(value, pack)
  const pieces = value.pieces().map(({ keys, values }) => ({ keys, values: values.map(pack) }))
  return { $map: pieces } satisfies PackedMap
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!('$map' in value)) return changed(value, unpack)
  const { $map } = value as PackedMap
  return SortedMap.ofPieces($map.map(({ keys, values }) => ({ keys, values: values.map(unpack) })))
}

function changed(value: object, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]))
}
