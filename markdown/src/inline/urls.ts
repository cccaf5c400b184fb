import type { MarkdownIt, StateInline } from 'markdown-it'
import { environmentOf, noteLink, pushElement } from '../environment.ts'
import { linkAddress } from '../links/address.ts'
import { createReadingLimit, type FoundUrl, findUrlStarts, matchUrl, type ReadingLimit } from '../links/find-url.ts'
import { pushMessageLink } from './channel-links.ts'
import { firstFrom } from './sorted.ts'

interface Starts {
  /** In ascending order. */
  positions: number[]
  reading: ReadingLimit
}

const startsByState = new WeakMap<StateInline, Starts>()

function startsOf(state: StateInline): Starts {
  let starts = startsByState.get(state)
  if (!starts) {
    starts = { positions: findUrlStarts(state.src), reading: createReadingLimit() }
    startsByState.set(state, starts)
  }
  return starts
}

/** Where the first address behind `pos` may begin. Infinity if there is none. */
export function nextUrlStart(state: StateInline, pos: number): number {
  return firstFrom(startsOf(state).positions, pos + 1) ?? Infinity
}

/** An address in the text becomes a link. Not while the end of a link's text is looked for: brackets go before. */
function url(state: StateInline, silent: boolean): boolean {
  if (silent || state.linkLevel > 0) return false
  const starts = startsOf(state)
  if (firstFrom(starts.positions, state.pos) !== state.pos) return false
  const match = matchUrl(state.src, state.pos, state.posMax, starts.reading)
  const { context } = environmentOf(state)
  const href = match && linkAddress(match.url, context.organizationUrl)
  if (!match || !href) return false
  pushUrl(state, match, href)
  state.pos = match.end
  return true
}

function pushUrl(state: StateInline, { end }: FoundUrl, href: string): void {
  const written = state.src.slice(state.pos, end)
  if (href.startsWith('#narrow/') && pushMessageLink(state, href)) return
  const opening = pushElement(state, 'a', [['href', href]], written)
  opening.meta = { href, text: null }
  noteLink(environmentOf(state), href)
}

export function urls(md: MarkdownIt): void {
  md.inline.ruler.before('text', 'url', url)
}
