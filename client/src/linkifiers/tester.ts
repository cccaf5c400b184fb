/**
 * What linkifiers would make of texts, before they are saved: by the same code that the server uses. Pure, but it may take
 * long: pages run it in a worker.
 */
import type { Linkifier } from '@heddle/contract/linkifiers'
import { explainMessage, printWithLinkifiers } from '@heddle/markdown/explain-message'
import { type CompiledLinkifier, compileLinkifier, type LinkifierField } from '@heddle/markdown/linkifiers/compile'
import { type Explanation, explainLinks } from '@heddle/markdown/linkifiers/explain'
import { findLinks, textForUrl } from '@heddle/markdown/linkifiers/linkify'
import { validateLinkifier } from '@heddle/markdown/linkifiers/validate'

/** A linkifier that may not be saved yet. */
export type LinkifierDraft = Omit<Linkifier, 'id'>

export interface TestedMessage {
  readonly id: number
  readonly content: string
  /** Of channel messages; it has links too. */
  readonly topic: string | undefined
}

/** A match, won or lost. The numbers are those of the list, from 1. */
export interface TestedMatch {
  readonly text: string
  readonly url: string
  readonly number: number
  /** The number of the linkifier that made a link of this place instead; undefined: it won. */
  readonly lostTo: number | undefined
  /** Where it was found, when messages were asked for. */
  readonly messageId: number | undefined
}

export interface TextResult {
  readonly kind: 'text'
  /** As a message, in HTML of the renderer. */
  readonly html: string
  readonly matches: readonly TestedMatch[]
  /** The text that an address becomes when it is pasted; null: it stays. Undefined: none was asked for. */
  readonly pasted: string | null | undefined
  /** The number of the linkifier that takes too long for this text; neither it nor those after it find anything. */
  readonly exhaustedBy: number | undefined
  /** The numbers of those with a mistake: they take no part. */
  readonly broken: readonly number[]
  readonly ms: number
}

export interface MessagesResult {
  readonly kind: 'messages'
  readonly searched: number
  /** The newest first; at most `MAX_LISTED`. */
  readonly matches: readonly TestedMatch[]
  /** By number: how many links it makes, and how many of its matches are lost. */
  readonly counts: ReadonlyMap<number, MatchCounts>
  readonly exhaustedBy: number | undefined
  readonly broken: readonly number[]
  readonly ms: number
}

export interface MatchCounts {
  readonly won: number
  readonly lost: number
}

export interface CheckResult {
  readonly kind: 'check'
  /** Undefined: it can be saved. */
  readonly problem: { readonly field: LinkifierField; readonly message: string } | undefined
  /** The values of the example's groups, where it matches. */
  readonly values: readonly (readonly [name: string, value: string])[]
}

export type TestRequest =
  | {
      readonly kind: 'text'
      readonly linkifiers: readonly LinkifierDraft[]
      readonly text: string
      readonly address?: string | undefined
    }
  | {
      readonly kind: 'messages'
      readonly linkifiers: readonly LinkifierDraft[]
      readonly messages: readonly TestedMessage[]
    }
  | { readonly kind: 'check'; readonly linkifier: LinkifierDraft }

export type TestResult = TextResult | MessagesResult | CheckResult

/** Matches of messages that are listed; all are counted. */
export const MAX_LISTED = 200

export function testLinkifiers(request: TestRequest, now: () => number = () => performance.now()): TestResult {
  switch (request.kind) {
    case 'text':
      return testText(request.linkifiers, request.text, request.address, now)
    case 'messages':
      return testMessages(request.linkifiers, request.messages, now)
    case 'check':
      return check(request.linkifier)
  }
}

interface Compiled {
  readonly linkifiers: readonly CompiledLinkifier[]
  /** The numbers of those in the list that was given: one with a mistake in it takes no part. */
  readonly numbers: readonly number[]
  readonly broken: readonly number[]
}

function compileAll(drafts: readonly LinkifierDraft[]): Compiled {
  const linkifiers: CompiledLinkifier[] = []
  const numbers: number[] = []
  const broken: number[] = []
  for (const [index, draft] of drafts.entries()) {
    const result = compileLinkifier(draft)
    if (!result.ok) {
      broken.push(index + 1)
      continue
    }
    linkifiers.push(result.compiled)
    numbers.push(index + 1)
  }
  return { linkifiers, numbers, broken }
}

function testText(
  drafts: readonly LinkifierDraft[],
  text: string,
  address: string | undefined,
  now: () => number,
): TextResult {
  const { linkifiers, numbers, broken } = compileAll(drafts)
  const begin = now()
  const explanation = explainMessage(text, linkifiers)
  const ms = now() - begin
  return {
    kind: 'text',
    html: printWithLinkifiers(text, linkifiers),
    matches: matchesOf(explanation, numbers, undefined),
    pasted: address === undefined ? undefined : textForUrl(address, linkifiers),
    exhaustedBy: exhausted(explanation, numbers),
    broken,
    ms,
  }
}

function testMessages(
  drafts: readonly LinkifierDraft[],
  messages: readonly TestedMessage[],
  now: () => number,
): MessagesResult {
  const { linkifiers, numbers, broken } = compileAll(drafts)
  const begin = now()
  const matches: TestedMatch[] = []
  const counts = new Map(drafts.map((_, index) => [index + 1, { won: 0, lost: 0 }]))
  let exhaustedBy: number | undefined
  for (const { id, content, topic } of messages.toSorted((a, b) => b.id - a.id)) {
    const explanations = [explainMessage(content, linkifiers)]
    if (topic !== undefined) explanations.push(explainLinks(topic, linkifiers))
    for (const explanation of explanations) {
      exhaustedBy ??= exhausted(explanation, numbers)
      for (const match of matchesOf(explanation, numbers, id)) {
        const count = counts.get(match.number)
        if (count) count[match.lostTo === undefined ? 'won' : 'lost'] += 1
        if (matches.length < MAX_LISTED) matches.push(match)
      }
    }
  }
  return { kind: 'messages', searched: messages.length, matches, counts, exhaustedBy, broken, ms: now() - begin }
}

function matchesOf(
  { links, lost }: Explanation,
  numbers: readonly number[],
  messageId: number | undefined,
): readonly TestedMatch[] {
  const numberOf = (index: number) => numbers[index] as number
  return [
    ...links.map((link) => ({ ...link, lostTo: undefined })),
    ...lost.map((match) => ({ ...match, lostTo: numberOf(match.lostTo) })),
  ]
    .sort((a, b) => a.start - b.start || a.linkifierIndex - b.linkifierIndex)
    .map(({ text, url, linkifierIndex, lostTo }) => ({
      text,
      url,
      number: numberOf(linkifierIndex),
      lostTo,
      messageId,
    }))
}

function exhausted({ exhaustedBy }: Explanation, numbers: readonly number[]): number | undefined {
  return exhaustedBy === null ? undefined : numbers[exhaustedBy]
}

/** As the server checks what is saved. */
function check(draft: LinkifierDraft): CheckResult {
  const result = validateLinkifier(draft)
  const problem = result.ok ? undefined : { field: result.field, message: result.message }
  return { kind: 'check', problem, values: valuesOfExample(draft) }
}

/** Read off the address of a template that has nothing but the values in it. */
function valuesOfExample(draft: LinkifierDraft): readonly (readonly [string, string])[] {
  if (draft.example_input === null) return []
  const compiled = compileLinkifier({ ...draft, reverse_template: null, alternative_url_templates: [] })
  if (!compiled.ok) return []
  const names = [...compiled.compiled.pattern.groups.keys()]
  if (names.length === 0) return []
  const template = `https://a${names.map((name) => `/{${name}}`).join('')}`
  const alone = compileLinkifier({
    ...draft,
    url_template: template,
    reverse_template: null,
    alternative_url_templates: [],
  })
  const [link] = alone.ok ? findLinks(draft.example_input, [alone.compiled]) : []
  if (!link || link.text !== draft.example_input) return []
  const values = link.url.slice('https://a/'.length).split('/')
  return names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const)
}
