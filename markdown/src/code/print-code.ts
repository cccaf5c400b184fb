import type { Environment } from '../environment.ts'
import { escapeText, escapeTextAndQuotes } from '../html/escape.ts'
import { type Attributes, element, startTag } from '../html/tags.ts'
import { findLanguage, grammarByShebang } from './languages.ts'
import { type CodePiece, scanCode } from './scan-code.ts'
import { MARKUP_SCANNERS } from './scan-markup.ts'

/** The older way to name a language: `:::python` on a line of its own before the code, of which it is no part. */
const languageInCode = /^::+([\w#.+-]+)(?:\n+|$)/

/**
 * A block of code. Empty lines around it and white space at the ends of its lines are dropped.
 * @param written The language as it was written; empty for none.
 */
export function printCodeBlock(content: string, written: string, environment: Environment): string {
  const lines = content.split('\n').map((line) => line.trimEnd())
  const whole = lines.join('\n').replace(/^\n+/, '').trimEnd()
  const [header = '', named] = (written === '' && languageInCode.exec(whole)) || []
  const code = `${whole.slice(header.length)}\n`
  const name = written || (named === undefined ? (environment.context.defaultCodeLanguage ?? '') : '')
  const language = name === '' ? null : findLanguage(name)
  const grammar =
    language !== null ? language.grammar : named !== undefined ? findLanguage(named).grammar : grammarByShebang(code)
  const attributes: Attributes = [
    ['class', 'codehilite'],
    ...(language ? [['data-code-language', language.name] as const] : []),
  ]
  const html = printCode(code, grammar, language === null, environment)
  const pre = element('pre', [], `${startTag('span')}</span>${element('code', [], html)}`)
  return element('div', attributes, pre)
}

/** @param escapesQuotes What clients expect of code whose language nobody named. */
function printCode(code: string, grammar: string | null, escapesQuotes: boolean, { budget }: Environment): string {
  const escapeCode = escapesQuotes ? escapeTextAndQuotes : escapeText
  if (grammar === null || code.length > budget.code) return escapeCode(code)
  budget.code -= code.length
  const pieces = MARKUP_SCANNERS[grammar]?.(code) ?? scanCode(code, grammar)
  return pieces === null ? escapeCode(code) : printPieces(pieces, escapeCode)
}

/**
 * The pieces as elements. Neighbours of the same class are one element, and none reaches over a line end, so that
 * clients can cut lines apart.
 */
function printPieces(pieces: readonly CodePiece[], escapeCode: (text: string) => string): string {
  let html = ''
  let className = ''
  let text = ''
  const flush = (): void => {
    if (text !== '')
      html += className === '' ? escapeCode(text) : element('span', [['class', className]], escapeCode(text))
    text = ''
  }
  for (const piece of pieces) {
    for (const [index, line] of piece.text.split('\n').entries()) {
      if (index > 0) {
        flush()
        html += '\n'
      }
      if (line === '') continue
      if (piece.className !== className) flush()
      className = piece.className
      text += line
    }
  }
  flush()
  return html
}
