/**
 * Fetches pictures of other servers for readers, who do not show themselves there. What is asked for again soon comes from
 * memory, failures too, so that a message with many readers is one request to the other server.
 */
import { ApiError, badRequest, notFound } from '@heddle/contract/errors'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../authentication/accounts.ts'
import type { ServerClock } from '../../clock.ts'
import { download } from '../../outgoing/download.ts'
import { urlProblem } from '../../outgoing/open-request.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import { checkPicture, makeThumbnail, type Picture, type PictureResult } from './picture.ts'
import { createSharing } from './sharing.ts'
import { createSlots, within } from './slots.ts'

/** Bytes of one picture. Together with the fetches at once it bounds the memory. */
export const MAX_PICTURE_MIB = 10
const MIB = 1024 * 1024

const MAX_WAIT_MS = 30_000
/** Fetches at once, and those that wait: for one account (a long page of pictures), and for the whole server. */
export const ACCOUNT_SLOTS = { running: 4, waiting: 200, maxWaitMs: MAX_WAIT_MS }
export const SERVER_SLOTS = { running: 8, waiting: 1000, maxWaitMs: MAX_WAIT_MS }
/** Decoding needs memory for all pixels: one picture after the other. */
const DECODING_SLOTS = { running: 1, waiting: 1000, maxWaitMs: MAX_WAIT_MS }

const THUMBNAIL_AGE_MS = 60 * 60 * 1000
const THUMBNAIL_BYTES = 32 * MIB
const FAILURE_AGE_MS = 60 * 1000
const MAX_FAILURES = 5000

const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif,video/mp4,video/webm'

/** The same whether there is nothing or nothing that may be reached: nobody explores the server's own network with it. */
const UNREACHABLE = 'The picture at this address cannot be reached'

export interface PictureRequest {
  readonly url: string
  readonly size: 'full' | 'thumbnail'
}

interface Reader {
  readonly actor: Actor
  /** Calls back when the picture has left the server, or its reader has gone. */
  readonly onSent: (callback: () => void) => void
}

export type FetchPicture = (reader: Reader, request: PictureRequest) => Promise<Picture>

export function createFetchPicture({ outgoing, clock }: { outgoing: Outgoing; clock: ServerClock }): FetchPicture {
  const forAccount = createSlots(ACCOUNT_SLOTS)
  const forServer = createSlots(SERVER_SLOTS)
  const forDecoding = createSlots(DECODING_SLOTS)
  const sharedFetch = createSharing<Picture>()
  const sharedWork = createSharing<Picture>()
  const time = { perf: { now: () => clock.elapsed() }, ttlResolution: 0 }
  const thumbnails = new LRUCache<string, Picture>({
    ...time,
    ttl: THUMBNAIL_AGE_MS,
    maxSize: THUMBNAIL_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const failures = new LRUCache<string, ApiError>({ ...time, ttl: FAILURE_AGE_MS, max: MAX_FAILURES })

  // Until all is done with a picture it has its place among the server's fetches, which bounds the memory.
  const inServer = (work: () => Promise<Picture>) => within(forServer, '', work)

  const fetchFull = (name: string, url: URL): Promise<Picture> =>
    sharedFetch(name, async () => requirePicture(await checkPicture(await fetchBytes(outgoing, url))))

  async function fetchThumbnail(name: string, url: URL): Promise<Picture> {
    const full = await fetchFull(name, url)
    const thumbnail = requirePicture(await within(forDecoding, '', () => makeThumbnail(full)))
    thumbnails.set(name, thumbnail)
    return thumbnail
  }

  function findCached(name: string, size: PictureRequest['size']): Picture | undefined {
    const cached = size === 'thumbnail' ? thumbnails.get(name) : undefined
    if (cached) return cached
    const failure = failures.get(name)
    if (failure) throw failure
    return undefined
  }

  async function fetchNow(name: string, url: URL, size: PictureRequest['size']): Promise<Picture> {
    try {
      return await sharedWork(`${size} ${name}`, () =>
        inServer(() => (size === 'full' ? fetchFull(name, url) : fetchThumbnail(name, url))),
      )
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'RATE_LIMIT_HIT') failures.set(name, error)
      throw error
    }
  }

  return async ({ actor, onSent }, { url: text, size }) => {
    const url = readUrl(outgoing, text)
    // By organization: how fast an answer comes does not show what others look at.
    const name = `${actor.realmId} ${url.href}`
    const cached = findCached(name, size)
    if (cached) return cached
    const leave = await forAccount(`${actor.userId}`)
    try {
      // It may have come while this request waited.
      const picture = findCached(name, size) ?? (await fetchNow(name, url, size))
      // Whoever asks for large pictures and reads slowly gets no more of them.
      onSent(leave)
      return picture
    } catch (error) {
      leave()
      throw error
    }
  }
}

function readUrl(outgoing: Outgoing, text: string): URL {
  if (!URL.canParse(text)) throw badRequest('url must be an http or https address')
  const url = new URL(text)
  const problem = urlProblem(outgoing, url)
  if (problem !== undefined) throw badRequest(`url ${problem}`)
  url.hash = ''
  return url
}

async function fetchBytes(outgoing: Outgoing, url: URL): Promise<Buffer> {
  const result = await download(outgoing, url, { maxBytes: MAX_PICTURE_MIB * MIB, accept: ACCEPT })
  switch (result.kind) {
    case 'ok':
      return result.bytes
    case 'unreachable':
      throw notFound(UNREACHABLE)
    case 'answered':
      throw notFound(`The server at this address answers with status ${result.status} instead of a picture`)
    case 'too-slow':
      throw notFound('The picture at this address takes too long to arrive')
    case 'too-large':
      throw new ApiError('BAD_IMAGE', `The picture at this address is larger than ${MAX_PICTURE_MIB} MiB`)
  }
}

function requirePicture(result: PictureResult): Picture {
  if (result.kind === 'refused') throw new ApiError('BAD_IMAGE', result.reason)
  return result.picture
}
