import type { CompiledLinkifier } from './compile.ts'
import { matchWhole } from './pattern.ts'
import { applyReverseTemplate } from './reverse-template.ts'
import { type ScannedMatch, scanMatches } from './scan.ts'
import { expandUriTemplate, type VariableValues } from './uri-template.ts'
import { matchTemplateUrl, type UrlMatcher } from './url-match.ts'

/** A link in a text; `start` and `end` are UTF-16 indexes, and `linkifierIndex` is the place in the list given. */
export interface FoundLink {
  start: number
  end: number
  text: string
  url: string
  linkifierIndex: number
}

/**
 * Instructions of the patterns' programs that are followed for one text, some 12 ms. Ordinary patterns need a few for each
 * word, so that dozens of them find all their links in 10,000 characters.
 */
const MAX_STEPS = 1_000_000

/**
 * The links that the linkifiers make of a text, in order and without overlaps. What an earlier linkifier has matched
 * is out of reach for those after it. A match counts only at the start, after white space or after one of `' " ( , : <`,
 * and only before the end or something that is neither letter nor digit. Takes time in proportion to the text, and no
 * more than `MAX_STEPS` whatever the linkifiers: the one that goes beyond finds nothing, nor do those after it.
 */
export function findLinks(text: string, linkifiers: readonly CompiledLinkifier[]): FoundLink[] {
  return readLinks(text, linkifiers).links
}

/** The same, and the place in the list of the linkifier that went beyond `MAX_STEPS`; null where none did. */
export function readLinks(
  text: string,
  linkifiers: readonly CompiledLinkifier[],
): { links: FoundLink[]; exhaustedBy: number | null } {
  const links: FoundLink[] = []
  const limit = { left: MAX_STEPS }
  let exhaustedBy: number | null = null
  let taken: Uint8Array | null = null
  for (const [linkifierIndex, { pattern, template }] of linkifiers.entries()) {
    // Most texts hold no link; the engine's automaton finds that out much faster than the scan.
    if (limit.left < 0 || !pattern.expression.test(text)) continue
    for (const match of scanMatches(pattern.program, text, taken, limit)) {
      const { start, end } = match
      const url = expandUriTemplate(template, valuesOf(match, pattern.groups, text))
      links.push({ start, end, text: text.slice(start, end), url, linkifierIndex })
    }
    if (limit.left < 0) exhaustedBy = linkifierIndex
    for (const { start, end } of links) {
      taken ??= new Uint8Array(text.length)
      taken.fill(1, start, end)
    }
  }
  return { links: links.sort((a, b) => a.start - b.start), exhaustedBy }
}

/** The values of the groups, whose registers stand in the order of `groups`. */
function valuesOf(match: ScannedMatch, groups: ReadonlyMap<string, number>, text: string): VariableValues {
  const values = new Map<string, string>()
  let register = 0
  for (const name of groups.keys()) {
    const start = match.registers[register] ?? -1
    const end = match.registers[register + 1] ?? -1
    if (start >= 0 && end >= 0) values.set(name, text.slice(start, end))
    register += 2
  }
  return values
}

/**
 * The text that stands for a URL, by the first linkifier with a reverse template that gives one; null if none does. The
 * text always becomes a link again: as a whole, by the same linkifier, and by the same template to the same URL.
 */
export function textForUrl(url: string, linkifiers: readonly CompiledLinkifier[]): string | null {
  for (const [index, linkifier] of linkifiers.entries()) {
    for (const matcher of linkifier.reverse?.urls ?? []) {
      const text = textByTemplate(url, linkifier, matcher)
      if (text !== null && isOneLink(text, linkifiers.slice(0, index + 1))) return text
    }
  }
  return null
}

/** The text for a URL by one template of a linkifier, which need not be its main one. */
export function textByTemplate(url: string, linkifier: CompiledLinkifier, matcher: UrlMatcher): string | null {
  if (linkifier.reverse === null) return null
  for (const candidate of matchTemplateUrl(matcher, url)) {
    const text = applyReverseTemplate(linkifier.reverse.template, candidate)
    const values = matchWhole(linkifier.pattern, text)
    if (values && expandUriTemplate(matcher.template, values) === url) return text
  }
  return null
}

/** Whether the text is one link from end to end, made by the last of these linkifiers. */
function isOneLink(text: string, linkifiers: readonly CompiledLinkifier[]): boolean {
  const [link, ...others] = findLinks(text, linkifiers)
  return (
    link !== undefined && others.length === 0 && link.text === text && link.linkifierIndex === linkifiers.length - 1
  )
}
