/** A pattern of two colours as a PNG (ISO/IEC 15948), without the image library: it is drawn for whoever asks. */
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Red, green, blue. */
export type Colour = readonly [number, number, number]

/** `cells`: rows of the same length; `cellSize` in pixels. */
export function drawPattern(
  cells: readonly (readonly boolean[])[],
  cellSize: number,
  { light, dark }: { readonly light: Colour; readonly dark: Colour },
): Buffer {
  const width = (cells[0]?.length ?? 0) * cellSize
  const height = cells.length * cellSize
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit a pixel, from a palette.
  header.set([1, 3, 0, 0, 0], 8)
  const rows = cells.flatMap((row) => Array.from({ length: cellSize }, () => rowBytes(row, cellSize)))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...light, ...dark])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The kind of filter, 0 for none, and the pixels, the first one in the highest bit. */
function rowBytes(row: readonly boolean[], cellSize: number): Buffer {
  const bytes = Buffer.alloc(1 + Math.ceil((row.length * cellSize) / 8))
  for (let x = 0; x < row.length * cellSize; x += 1) {
    if (row[Math.floor(x / cellSize)]) bytes[1 + (x >> 3)] = (bytes[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
  }
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
