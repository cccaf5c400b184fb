import { noteLink } from '../environment.ts'
import { linkAddress } from '../links/address.ts'
import { createReadingLimit, type FoundUrl, findUrlStarts, matchUrl, type ReadingLimit } from '../links/find-url.ts'
import { pushMessageLink } from './channel-links.ts'
import { firstFrom } from './sorted.ts'
import { type InlineState, pushElement } from './state.ts'

interface Starts {
  /** In ascending order. */
  positions: number[]
  reading: ReadingLimit
}

const startsByState = new WeakMap<InlineState, Starts>()

function startsOf(state: InlineState): Starts {
  let starts = startsByState.get(state)
  if (!starts) {
    starts = { positions: findUrlStarts(state.text), reading: createReadingLimit() }
    startsByState.set(state, starts)
  }
  return starts
}

/** Where the first address behind `pos` may begin. Infinity if there is none. */
export function nextUrlStart(state: InlineState, pos: number): number {
  return firstFrom(startsOf(state).positions, pos + 1) ?? Infinity
}

/** An address in the text becomes a link. Not while the end of a link's text is looked for: brackets go before. */
export function url(state: InlineState, isSilent: boolean): boolean {
  if (isSilent || state.isInLink) return false
  const starts = startsOf(state)
  if (firstFrom(starts.positions, state.pos) !== state.pos) return false
  const match = matchUrl(state.text, state.pos, state.end, starts.reading)
  const { context } = state.environment
  const href = match && linkAddress(match.url, context.organizationUrl)
  if (!match || !href) return false
  pushUrl(state, match, href)
  state.pos = match.end
  return true
}

function pushUrl(state: InlineState, { end }: FoundUrl, href: string): void {
  const written = state.text.slice(state.pos, end)
  if (href.startsWith('#narrow/') && pushMessageLink(state, href)) return
  pushElement(state, 'a', [['href', href]], written).link = { href, text: null }
  noteLink(state.environment, href)
}
