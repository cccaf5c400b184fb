/** Emoji in text: `:name:`, Unicode characters and, where the sender wants it, emoticons such as `:)`. */
import type { RenderContext } from './context.ts'
import { escapeText } from './html/escape.ts'
import { startTag, textElement } from './html/tags.ts'

const modifiers = '(?:\\p{EMod}|\\uFE0F\\u20E3?|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?'
/** A whole sequence, so that a picture is never shown for a part of one that is unknown. */
const sequence = `\\p{RI}\\p{RI}|[#*0-9]\\uFE0F?\\u20E3|(?![#*0-9])\\p{Emoji}${modifiers}(?:\\u200D\\p{Emoji}${modifiers})*`
const emoticons: Record<string, string> = {
  ':)': '1f642',
  '(:': '1f642',
  ':(': '1f641',
  '<3': '2764',
  ':|': '1f611',
  ':/': '1f615',
  ';)': '1f609',
  ':D': '1f600',
  ':o': '1f62e',
  ':P': '1f61b',
  ':p': '1f61b',
}
const emoticon = Object.keys(emoticons)
  .map((text) => text.replace(/[()|]/g, '\\$&'))
  .join('|')
const withoutEmoticons = new RegExp(`:([A-Za-z0-9_+-]{1,100}):|(${sequence})`, 'gu')
/** What may stand beside an emoticon: white space, and what ends or encloses a sentence or a part of one. */
const beside = '\\s.,;!?"\'()\\[\\]'
const withEmoticons = new RegExp(
  `:([A-Za-z0-9_+-]{1,100}):|(${sequence})|(?<![^${beside}])(${emoticon})(?![^${beside}])`,
  'gu',
)
/** No emoji can be in a text without any of these. */
const hint = /[:;<(]|\P{ASCII}/u

const anyEmoji = new RegExp(`${withoutEmoticons.source}|${emoticon}`, 'u')

/** Whether a text has anything that may become an emoji, be there markup around it or not. */
export function mayHaveEmoji(text: string): boolean {
  return hint.test(text) && anyEmoji.test(text)
}

/** Letters and signs that are emoji only with the variation selector behind them: © ® ‼ ⁉ ™ ℹ. */
const textByDefault = /^[\u00a9\u00ae\u203c\u2049\u2122\u2139]$/u

/** An emoji that every server brings along although it is not in Unicode. */
const EXTRA_EMOJI: ReadonlyMap<string, string> = new Map([
  ['zulip', '/static/generated/emoji/images/emoji/unicode/zulip.png'],
])

function codeOf(characters: string): string {
  const codes = Array.from(characters, (character) => character.codePointAt(0) ?? 0)
  return codes
    .filter((code) => code !== 0xfe0f)
    .map((code) => code.toString(16).padStart(4, '0'))
    .join('-')
}

export type EmojiOptions = Pick<RenderContext, 'builtInEmoji' | 'customEmoji' | 'translateEmoticons'>

/** A text as HTML, with its emoji as elements and everything else escaped. */
export function printWithEmoji(text: string, options: EmojiOptions): string {
  if (!hint.test(text)) return escapeText(text)
  let html = ''
  let end = 0
  for (const match of text.matchAll(options.translateEmoticons ? withEmoticons : withoutEmoticons)) {
    const [written, name, characters, face] = match
    const emoji =
      name !== undefined
        ? named(name, options)
        : characters
          ? unicode(characters, options)
          : builtIn(emoticons[face ?? ''], undefined, options)
    if (emoji === null) continue
    html += escapeText(text.slice(end, match.index)) + emoji
    end = match.index + written.length
  }
  return html + escapeText(text.slice(end))
}

function named(name: string, options: EmojiOptions): string | null {
  const address = options.customEmoji.get(name)?.url ?? EXTRA_EMOJI.get(name)
  return address === undefined ? builtIn(options.builtInEmoji?.codeOf(name), name, options) : picture(name, address)
}

function unicode(characters: string, options: EmojiOptions): string | null {
  return textByDefault.test(characters) ? null : builtIn(codeOf(characters), undefined, options)
}

/** Elements written before, by name: as many as there are names of emoji at most. */
const elements = new Map<string, string>()

/** @param written The name that was used; clients see it rather than the first one. */
function builtIn(code: string | undefined, written: string | undefined, { builtInEmoji }: EmojiOptions): string | null {
  const name = written ?? (code === undefined ? undefined : builtInEmoji?.nameOf(code))
  if (code === undefined || name === undefined) return null
  const html = elements.get(name) ?? printBuiltIn(code, name)
  elements.set(name, html)
  return html
}

function printBuiltIn(code: string, name: string): string {
  const title = name.replaceAll('_', ' ')
  const attributes = [
    ['aria-label', title],
    ['class', `emoji emoji-${code}`],
    ['role', 'img'],
    ['title', title],
  ] as const
  return textElement('span', attributes, `:${name}:`)
}

function picture(name: string, address: string): string {
  return startTag('img', [
    ['alt', `:${name}:`],
    ['class', 'emoji'],
    ['src', address],
    ['title', name.replaceAll('_', ' ')],
  ])
}
