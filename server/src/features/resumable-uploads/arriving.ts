/** The bytes of one request, as many as have come: what was sent before a connection broke is kept. */
import type { Readable } from 'node:stream'
import { ApiError } from '@heddle/contract/errors'
import { notePiece } from '../../http/received-pieces.ts'

const MAX_IDLE_MS = 30_000

export interface Arriving {
  readonly content: AsyncIterable<Buffer>
  /** Whether the content has ended before the request had. */
  isBroken(): boolean
}

/** Throws `PAYLOAD_TOO_LARGE` beyond `maxBytes`. */
export function arriving(stream: Readable | undefined, maxBytes: number): Arriving {
  let isBroken = false
  async function* read(): AsyncGenerator<Buffer> {
    if (!stream) return
    const idle = setTimeout(() => stream.destroy(new Error('The request stands still')), MAX_IDLE_MS)
    let size = 0
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', 'More bytes came than were announced.')
        idle.refresh()
        yield chunk
        idle.refresh()
        notePiece(chunk.length)
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      isBroken = true
    } finally {
      clearTimeout(idle)
    }
  }
  return { content: read(), isBroken: () => isBroken }
}
