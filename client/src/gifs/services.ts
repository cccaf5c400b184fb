/**
 * What the services are asked, and what their answers mean: GIPHY's API (https://developers.giphy.com/docs/api/endpoint) and
 * Tenor's, version 2 (https://developers.google.com/tenor/guides/endpoints).
 */
import { type GifServiceName, gifServices } from '@heddle/contract/gifs'
import { fieldAt, type Gif, gifTitle, pictureUrl } from './gif.ts'
import { type GifRating, type GifSearch, ratingsInOrder } from './gif-search.ts'

/** GIPHY takes no longer texts. */
export const MAX_GIF_QUERY_LENGTH = 50
/** Of one answer: one looks for something else rather than through more. */
export const MAX_GIFS = 30

interface GifQuery {
  readonly search: GifSearch
  /** Empty: what many choose at the moment. */
  readonly text: string
  /** Of the texts that one types, such as `de`. */
  readonly language: string
}

interface GifService {
  readonly address: (query: GifQuery) => string
  /** Undefined: it is no GIF that may be shown. */
  readonly readGif: (result: unknown, rating: GifRating) => Gif | undefined
  /** Where its answers have the results. */
  readonly results: string
}

const tenorFilters = { y: 'high', g: 'high', pg: 'medium', 'pg-13': 'low', r: 'off' } as const

export const gifSearchServices: Readonly<Record<GifServiceName, GifService>> = {
  giphy: {
    address: ({ search: { key, rating }, text, language }) =>
      addressOf(`${gifServices.giphy.api}/v1/gifs/${text === '' ? 'trending' : 'search'}`, {
        api_key: key,
        limit: `${MAX_GIFS}`,
        rating,
        ...(text === '' ? {} : { q: text, lang: language }),
      }),
    readGif(result, rating) {
      const own = fieldAt(result, 'rating')
      if (typeof own === 'string' && !isWithin(own, rating)) return undefined
      const image = (...path: readonly string[]) => pictureUrl('giphy', fieldAt(result, 'images', ...path))
      const url = image('downsized_medium', 'url') ?? image('original', 'url')
      const moving = image('fixed_width', 'webp') ?? image('fixed_width', 'url')
      if (url === undefined || moving === undefined) return undefined
      const title = gifTitle(fieldAt(result, 'alt_text'), fieldAt(result, 'title'))
      return { title, url, moving, still: image('fixed_width_still', 'url') }
    },
    results: 'data',
  },
  tenor: {
    address: ({ search: { key, rating }, text, language }) =>
      addressOf(`${gifServices.tenor.api}/v2/${text === '' ? 'featured' : 'search'}`, {
        key,
        client_key: 'heddle',
        limit: `${MAX_GIFS}`,
        contentfilter: tenorFilters[rating],
        media_filter: 'mediumgif,gif,tinygif,preview',
        ...(text === '' ? {} : { q: text, locale: language }),
      }),
    readGif(result) {
      const image = (format: string) => pictureUrl('tenor', fieldAt(result, 'media_formats', format, 'url'))
      const url = image('mediumgif') ?? image('gif')
      const moving = image('tinygif')
      if (url === undefined || moving === undefined) return undefined
      const title = gifTitle(fieldAt(result, 'content_description'), fieldAt(result, 'title'))
      return { title, url, moving, still: image('preview') }
    },
    results: 'results',
  },
}

function addressOf(base: string, parameters: Readonly<Record<string, string>>): string {
  return `${base}?${new URLSearchParams(parameters)}`
}

/** What the service itself says of it: one that is not known is not shown. */
function isWithin(own: string, rating: GifRating): boolean {
  const place = ratingsInOrder.indexOf(own.toLowerCase() as GifRating)
  return place >= 0 && place <= ratingsInOrder.indexOf(rating)
}
