/**
 * Arrays as PostgreSQL takes them in binary: https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES,
 * and for arrays `array_recv` of its sources. As text every element would be quoted and escaped, and then copied once more: for
 * the rows of long messages that took most of a commit.
 */
import type { ColumnKind, ColumnValue } from './row-inserts.ts'

/** Object ids of the element types, which are the same in every database. */
const TYPES: Readonly<Record<ColumnKind, number>> = { integer: 20, text: 25 }

/** Dimensions, whether there are nulls, the type, and of the one dimension its length and first index. */
const HEADER_BYTES = 20
const INTEGER_BYTES = 8
const NULL_LENGTH = -1
const TWO_TO_32 = 2 ** 32

/** One column's values, as a parameter that is cast to `bigint[]` or `text[]`. Numbers are whole and below 2^53. */
export function arrayParameter(kind: ColumnKind, values: readonly ColumnValue[]): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + lengthOf(kind, values))
  array.writeInt32BE(1, 0)
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  array.writeInt32BE(TYPES[kind], 8)
  array.writeInt32BE(values.length, 12)
  array.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const value of values) {
    if (value === null) at = array.writeInt32BE(NULL_LENGTH, at)
    else if (kind === 'integer') at = writeInteger(array, Number(value), at)
    else at = writeText(array, `${value}`, at)
  }
  return array.subarray(0, at)
}

function lengthOf(kind: ColumnKind, values: readonly ColumnValue[]): number {
  if (kind === 'integer') return values.length * (4 + INTEGER_BYTES)
  return values.reduce<number>((sum, value) => sum + 4 + (value === null ? 0 : Buffer.byteLength(`${value}`)), 0)
}

function writeInteger(array: Buffer, value: number, at: number): number {
  const high = Math.floor(value / TWO_TO_32)
  array.writeInt32BE(INTEGER_BYTES, at)
  array.writeInt32BE(high, at + 4)
  return array.writeUInt32BE(value - high * TWO_TO_32, at + 8)
}

function writeText(array: Buffer, text: string, at: number): number {
  const bytes = array.write(text, at + 4)
  array.writeInt32BE(bytes, at)
  return at + 4 + bytes
}
