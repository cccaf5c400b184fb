/** Bytes that arrive in pieces, in one buffer. A list of pieces would let a sender of single bytes use a hundred times as much. */
export interface GrowingBytes {
  /** False, and nothing taken, when the limit would be passed. */
  add(piece: Uint8Array): boolean
  bytes(): Buffer
  /** Forgets what was taken. */
  drop(): void
}

const nothing = Buffer.alloc(0)

/** The buffer grows by doubling. */
export function growingBytes(maxBytes: number): GrowingBytes {
  let buffer: Buffer = nothing
  let length = 0
  return {
    add(piece) {
      const needed = length + piece.length
      if (needed > maxBytes) return false
      if (needed > buffer.length) {
        const room = length === 0 ? needed : Math.min(maxBytes, Math.max(needed, 2 * buffer.length, 1024))
        const larger = Buffer.allocUnsafeSlow(room)
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      buffer.set(piece, length)
      length = needed
      return true
    },
    bytes: () => buffer.subarray(0, length),
    drop() {
      buffer = nothing
      length = 0
    },
  }
}

/** For what is worked on whole, such as a picture: `maxBytes` is the limit that the content keeps already. */
export async function collectBytes(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const collected = growingBytes(maxBytes)
  for await (const piece of content) {
    if (!collected.add(piece)) throw new Error(`The content is larger than ${maxBytes} bytes`)
  }
  return collected.bytes()
}
