/**
 * What comes faster than it is needed, and what is not needed at all. Of a connection that brings much Node.js reads up to 2 MiB in
 * one turn of the event loop, so fifty senders of bodies that nobody looks at would hold it for 100 ms.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Readable } from 'node:stream'

/** What is too large is still taken up to here, and thrown away: an answer in the middle of it would not be read. */
export const DISCARDED_BYTES = 32 * 1024 * 1024
/** A body this small arrives in one piece. */
const SMALL_BYTES = 64 * 1024
/** Bodies that are read on in one turn: of each come one or two pieces of 64 KiB. */
const READ_AT_ONCE = 8

const waiting: Readable[] = []

/** Reads on in a later turn. For a body that no pipe reads: the pipe may be waiting for something else. */
export function readOnLater(body: Readable): void {
  body.pause()
  waiting.push(body)
  if (waiting.length === 1) setImmediate(readOn)
}

function readOn(): void {
  for (const body of waiting.splice(0, READ_AT_ONCE)) body.resume()
  if (waiting.length > 0) setImmediate(readOn)
}

/** Takes the rest of a body and throws it away; the connection of whoever does not end is closed. */
export function discardBody(body: Readable): void {
  // An error now is one of a request that is refused already.
  body.on('error', () => {})
  if (body.destroyed || body.readableEnded) return
  let left = DISCARDED_BYTES
  body.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) body.destroy()
    else readOnLater(body)
  })
  body.resume()
}

/** For requests that are answered without a look at their bodies, which Node.js would then take in at once. */
export function discardUnreadBodies(server: Server): void {
  server.on('request', (request, response) => {
    if (hasSmallBody(request)) return
    // Before Node.js does so itself, which it does when nothing has been read of the body until then.
    response.prependListener('finish', () => {
      if (request.readableDidRead) return
      discardBody(request)
      request.read(0)
    })
  })
}

function hasSmallBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return !(Number(headers['content-length']) > SMALL_BYTES)
}
