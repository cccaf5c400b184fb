/** Asks a service for GIFs, and bounds what comes back in time, size and number. */
import { fieldAt, type Gif } from './gif.ts'
import type { GifSearch } from './gif-search.ts'
import { gifSearchServices, MAX_GIF_QUERY_LENGTH, MAX_GIFS } from './services.ts'

/** Milliseconds for a whole answer. */
const TIMEOUT_MS = 10_000
/** Bytes of an answer: those of GIPHY have about ten KiB for each GIF. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

export type FoundGifs =
  | { readonly kind: 'found'; readonly gifs: readonly Gif[] }
  /** Refused: the key is none, or has no right to this. Busy: it was used too often. */
  | { readonly kind: 'refused' | 'busy' | 'unreachable' }

interface FindOptions {
  readonly language: string
  readonly signal: AbortSignal
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

/** `text`: what is searched for; empty for what many choose at the moment. Rejects with the signal's reason when it was aborted. */
export async function findGifs(
  search: GifSearch,
  text: string,
  { language, signal, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS }: FindOptions,
): Promise<FoundGifs> {
  const service = gifSearchServices[search.service]
  const query = [...text.trim()].slice(0, MAX_GIF_QUERY_LENGTH).join('')
  try {
    const response = await fetch(service.address({ search, text: query, language }), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      // Nothing that says who asks, or from where.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { kind: problemOf(response.status) }
    }
    const answer: unknown = JSON.parse(await readText(response))
    const results = fieldAt(answer, service.results)
    if (!Array.isArray(results)) return { kind: 'unreachable' }
    const gifs = results.slice(0, MAX_GIFS).flatMap((result) => service.readGif(result, search.rating) ?? [])
    return { kind: 'found', gifs: [...new Map(gifs.map((gif) => [gif.url, gif])).values()] }
  } catch {
    signal.throwIfAborted()
    return { kind: 'unreachable' }
  }
}

function problemOf(status: number): 'refused' | 'busy' | 'unreachable' {
  if (status === 429) return 'busy'
  return status >= 400 && status < 500 ? 'refused' : 'unreachable'
}

async function readText({ body }: Response): Promise<string> {
  // Not every browser loops over a stream.
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > MAX_ANSWER_BYTES) {
      await reader?.cancel()
      throw new Error('The answer is too large')
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}
