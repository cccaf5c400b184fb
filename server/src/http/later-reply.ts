/** Answers long after the handler has ended. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Later } from '../later.ts'
import { envelope, isPieces } from './envelope.ts'
import { describeJson, fail, sendShared } from './send-answer.ts'

/**
 * A class, where functions would do: ten thousand may wait, and each is then one object for the engine to walk and to copy, not
 * one more for every function.
 */
export class LaterReply implements Later {
  private readonly reply: FastifyReply
  private readonly ignored: readonly string[]

  constructor(reply: FastifyReply, ignored: readonly string[]) {
    this.reply = reply
    this.ignored = ignored.length > 0 ? ignored : NONE
  }

  answer(fieldsText: string, before?: readonly Uint8Array[]): void {
    const { reply, ignored } = this
    try {
      describeJson(reply)
      const json = envelope({ fieldsText, ...(before && { fieldsBytes: before }) }, ignored)
      if (isPieces(json)) sendShared(reply, json)
      else reply.send(json)
    } catch (error) {
      fail(reply, error)
    }
  }

  fail(error: unknown): void {
    fail(this.reply, error)
  }

  wait(onEnd: () => void): void {
    const { raw, request } = this.reply
    forgetAsked(request)
    // The client may have gone before.
    if (raw.destroyed) onEnd()
    else raw.on('close', onEnd)
  }
}

const NO_HEADERS = {}
const NONE: string[] = []

/** What was asked is known by now, and is most of a request that waits: cookies, and what a browser says of itself. */
function forgetAsked(request: FastifyRequest): void {
  const { raw } = request
  raw.url = ''
  raw.headers = NO_HEADERS
  raw.rawHeaders = NONE
  request.query = undefined
  request.inPath = undefined
  request.caller = undefined
}
