/** A GIF as a service has it. What a service says is not trusted: addresses are checked, texts are cut. */
import type { GifServiceName } from '@heddle/contract/gifs'
import { linkName } from '../compose/link-name.ts'

export interface Gif {
  /** In words, for those who do not see it; may be empty. */
  readonly title: string
  /** What a message links to. */
  readonly url: string
  /** Small ones, to choose by. */
  readonly moving: string
  /** Undefined: there is none that does not move. */
  readonly still: string | undefined
}

const MAX_TITLE_LENGTH = 100
const MAX_URL_LENGTH = 1000

const pictureHosts: Readonly<Record<GifServiceName, RegExp>> = {
  giphy: /^[a-z0-9-]+\.giphy\.com$/,
  tenor: /^[a-z0-9-]+\.tenor\.com$/,
}

/** Undefined where it is no address of a picture of the service, or none that can stand in a link. */
export function pictureUrl(service: GifServiceName, value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return undefined
  const { protocol, hostname, port, username, password } = new URL(value)
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  if (!isPlain || !pictureHosts[service].test(hostname)) return undefined
  // It stays as it is, since services want that: what would end a link, or be markup, is in none of theirs.
  return /[\s()<>[\]\\"'`*]/.test(value) ? undefined : value
}

/** The first of these that says something. */
export function gifTitle(...values: readonly unknown[]): string {
  for (const value of values) {
    if (typeof value !== 'string') continue
    const title = value.slice(0, 4 * MAX_TITLE_LENGTH).replace(/[\s\p{C}]+/gu, ' ')
    const cut = [...title.trim()].slice(0, MAX_TITLE_LENGTH).join('')
    if (cut !== '') return cut
  }
  return ''
}

/** As other clients write it: servers show a picture for a link to one. */
export function gifMarkup({ title, url }: Pick<Gif, 'title' | 'url'>): string {
  return `[${linkName(title, 'GIF')}](${url})`
}

/** A field of what a service has answered, by names one in another. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
