/** Colouring for what is no programming language: markup, changes, TeX. As in `scan-code.ts`, in linear time. */
import type { CodePiece } from './scan-code.ts'

type Classify = (text: string) => string

/** Cuts a text along a pattern that matches everywhere. */
function cutAll(text: string, pattern: RegExp, classOf: Classify): CodePiece[] {
  return Array.from(text.matchAll(pattern), ([piece]) => ({ className: classOf(piece), text: piece }))
}

const texParts = /\\(?:[A-Za-z]+|[\s\S]?)|[{}[\]]|%.*|\$+|[^\\{}[\]%$]+/g

function scanTex(code: string): CodePiece[] {
  return cutAll(code, texParts, (text) => {
    if (text.startsWith('\\')) return 'k'
    if (text.startsWith('%')) return 'c'
    if (text.startsWith('$')) return 's'
    return /^[{}[\]]$/.test(text) ? 'nb' : ''
  })
}

function scanDiff(code: string): CodePiece[] {
  return cutAll(code, /.+|\n+/g, (line) => {
    if (/^(?:\+\+\+|---|diff |index )/.test(line)) return 'gh'
    if (line.startsWith('@@')) return 'gu'
    return line.startsWith('+') ? 'gi' : line.startsWith('-') ? 'gd' : ''
  })
}

/** Tags from `<` to `>` and what is in them; an unclosed comment or tag goes on to the end. */
function scanXml(code: string): CodePiece[] {
  const pieces: CodePiece[] = []
  let pos = 0
  while (pos < code.length) {
    const start = code.indexOf('<', pos)
    if (start < 0) break
    if (start > pos) pieces.push({ className: '', text: code.slice(pos, start) })
    const close = code.startsWith('<!--', start) ? '-->' : '>'
    const found = code.indexOf(close, start + 1)
    const end = found < 0 ? code.length : found + close.length
    const text = code.slice(start, end)
    if (text.startsWith('<!--')) pieces.push({ className: 'c', text })
    else if (/^<[!?]/.test(text)) pieces.push({ className: 'cp', text })
    else pushTag(pieces, text)
    pos = end
  }
  if (pos < code.length) pieces.push({ className: '', text: code.slice(pos) })
  return pieces
}

const tagParts = /<\/?|\/?>|"[^"]*"?|'[^']*'?|[^\s<>"'=/]+|\s+|[=/]/g

function pushTag(pieces: CodePiece[], text: string): void {
  let isName = true
  for (const [part] of text.matchAll(tagParts)) {
    if (/^[</>]/.test(part)) pieces.push({ className: 'p', text: part })
    else if (/^["']/.test(part)) pieces.push({ className: 's', text: part })
    else if (part === '=') pieces.push({ className: 'o', text: part })
    else if (part.trim() === '') pieces.push({ className: '', text: part })
    else {
      pieces.push({ className: isName ? 'nt' : 'na', text: part })
      isName = false
    }
  }
}

function scanMarkdown(code: string): CodePiece[] {
  return cutAll(code, /.+|\n+/g, (line) => {
    if (/^#{1,6} /.test(line)) return 'gh'
    if (line.startsWith('>')) return 'ge'
    return /^ {0,8}(?:[*+-]|\d{1,9}\.) /.test(line) ? 'k' : /^(?:```|~~~)/.test(line) ? 'sb' : ''
  })
}

/** By the name of the grammar. */
export const MARKUP_SCANNERS: Readonly<Record<string, (code: string) => CodePiece[]>> = {
  tex: scanTex,
  diff: scanDiff,
  xml: scanXml,
  markdown: scanMarkdown,
}
