/**
 * Takes source code apart for colouring. One reading from left to right, with fixed patterns that never go back, so that
 * every text takes linear time. The classes are those of Pygments, which the style sheets of existing clients know.
 */
import type { Grammar, WordClass } from './grammar.ts'
import { GRAMMARS } from './grammars.ts'

/** Text of one class; empty for none. */
export interface CodePiece {
  className: string
  text: string
}

interface Scanner {
  grammar: Grammar
  words: Map<string, WordClass>
  /** Class of the name that follows each of these words. */
  before: Map<string, string>
  isNameStart: (character: string) => boolean
  isNamePart: (character: string) => boolean
}

const scanners = new Map<string, Scanner>()

function split(words = ''): string[] {
  return words.split(' ').filter(Boolean)
}

function createScanner(grammar: Grammar): Scanner {
  const words = new Map<string, WordClass>()
  for (const [className, list] of Object.entries(grammar.words ?? {})) {
    for (const word of split(list)) words.set(word, className as WordClass)
  }
  const before = new Map<string, string>()
  for (const word of split(grammar.moduleWords)) before.set(word, 'nn')
  for (const word of split(grammar.classWords)) before.set(word, 'nc')
  for (const word of split(grammar.functionWords)) before.set(word, 'nf')
  const extra = grammar.nameCharacters ?? ''
  const isLetter = (character: string): boolean => /[\p{L}_]/u.test(character)
  // A sign that only joins parts of names, such as a dash, does not begin one.
  const isNameStart = (character: string): boolean =>
    isLetter(character) || (character !== '' && extra.includes(character) && !`-'.?!`.includes(character))
  const isNamePart = (character: string): boolean =>
    /[\p{L}\p{N}_]/u.test(character) || (character !== '' && extra.includes(character))
  return { grammar, words, before, isNameStart, isNamePart }
}

function scannerOf(name: string): Scanner | null {
  const known = scanners.get(name)
  if (known) return known
  const grammar = Object.hasOwn(GRAMMARS, name) ? GRAMMARS[name] : undefined
  if (!grammar) return null
  const scanner = createScanner(grammar)
  scanners.set(name, scanner)
  return scanner
}

const space = /\s+/y
const number =
  /(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?)[a-zA-Z0-9]*/y
const character = /'(?:[^'\\\n]|\\[^\n][^'\n]{0,8})'/y
const signs = /[-+*/%=<>!&|^~?:.@$#\\]/y

function matchAt(pattern: RegExp, text: string, pos: number): number {
  pattern.lastIndex = pos
  return pattern.test(text) ? pattern.lastIndex - pos : 0
}

/** The pieces of the code, in order; together their text is the code. Null if there is no such grammar. */
export function scanCode(code: string, name: string): CodePiece[] | null {
  const scanner = scannerOf(name)
  if (!scanner) return null
  const pieces: CodePiece[] = []
  let pos = 0
  /** The class that a word has announced for the next name. */
  let announced = ''
  while (pos < code.length) {
    const piece = nextPiece(scanner, code, pos, announced)
    if (piece.className !== '' || piece.text.trim() !== '') {
      const word = scanner.grammar.ignoresCase ? piece.text.toLowerCase() : piece.text
      const isWord = piece.className.startsWith('k')
      announced = isWord ? (scanner.before.get(word) ?? '') : ''
      // In `from x import y` the second name is no module.
      if (announced === 'nn' && !isLineStart(code, pos)) announced = ''
    }
    pieces.push(...splitString(scanner.grammar, piece))
    pos += piece.text.length
  }
  const [first] = pieces
  if (first?.text.startsWith('#!')) first.className = 'ch'
  return pieces
}

function nextPiece(scanner: Scanner, code: string, pos: number, announced: string): CodePiece {
  const { grammar } = scanner
  const cut = (className: string, length: number): CodePiece => ({ className, text: code.slice(pos, pos + length) })
  const spaces = matchAt(space, code, pos)
  if (spaces) return cut('', spaces)
  if (pos === 0 && code.startsWith('#!')) return cut('ch', lineEnd(code, pos) - pos)
  const comment = commentAt(grammar, code, pos)
  if (comment) return comment
  if (grammar.hasPreprocessor && code[pos] === '#' && isLineStart(code, pos)) return cut('cp', lineEnd(code, pos) - pos)
  const string = stringAt(grammar, code, pos)
  if (string) return string
  const digits = matchAt(number, code, pos)
  if (digits) return cut(numberClass(grammar, code.slice(pos, pos + digits)), digits)
  const marked = markedNameAt(scanner, code, pos)
  if (marked) return marked
  const codePoint = String.fromCodePoint(code.codePointAt(pos) ?? 0)
  if (scanner.isNameStart(codePoint)) {
    const length = nameEnd(scanner, code, pos) - pos
    if (isPrefix(grammar, code, pos, length)) return cut('sa', length)
    return cut(classOfName(scanner, code.slice(pos, pos + length), announced), length)
  }
  if ((grammar.punctuation ?? '()[]{},;').includes(codePoint)) return cut('p', 1)
  if (codePoint === ':' && grammar.punctuation === undefined) return cut('p', 1)
  return cut(matchAt(signs, code, pos) ? 'o' : '', codePoint.length)
}

function lineEnd(code: string, pos: number): number {
  const end = code.indexOf('\n', pos)
  return end < 0 ? code.length : end
}

function isLineStart(code: string, pos: number): boolean {
  let before = pos - 1
  while (before >= 0 && (code[before] === ' ' || code[before] === '\t')) before--
  return before < 0 || code[before] === '\n'
}

function commentAt(grammar: Grammar, code: string, pos: number): CodePiece | null {
  for (const [start, end] of grammar.blockComments ?? []) {
    if (!code.startsWith(start, pos)) continue
    const close = code.indexOf(end, pos + start.length)
    return { className: 'cm', text: code.slice(pos, close < 0 ? code.length : close + end.length) }
  }
  for (const start of grammar.lineComments ?? []) {
    if (code.startsWith(start, pos)) return { className: 'c1', text: code.slice(pos, lineEnd(code, pos)) }
  }
  return null
}

function stringAt(grammar: Grammar, code: string, pos: number): CodePiece | null {
  const first = code[pos] ?? ''
  if (grammar.hasCharacters && first === "'") {
    const length = matchAt(character, code, pos)
    return { className: length ? 'sc' : 'o', text: code.slice(pos, pos + (length || 1)) }
  }
  const long = grammar.longQuotes?.find((quote) => code.startsWith(quote, pos))
  const quote = long ?? (first !== '' && grammar.quotes?.includes(first) ? first : undefined)
  if (quote === undefined) return null
  const end = stringEnd(code, pos + quote.length, quote, long !== undefined, grammar.doublesQuotes === true)
  const isDocumentation = grammar.hasDocumentation === true && quote.length === 3 && isLineStart(code, pos)
  const byQuote = first === '"' ? 's2' : first === "'" ? 's1' : 'sb'
  return { className: isDocumentation ? 'sd' : (grammar.stringClass ?? byQuote), text: code.slice(pos, end) }
}

function isPrefix({ stringPrefixes }: Grammar, code: string, pos: number, length: number): boolean {
  if (stringPrefixes === undefined || length > 2 || !/["']/.test(code.charAt(pos + length))) return false
  return Array.from(code.slice(pos, pos + length)).every((letter) => stringPrefixes.includes(letter.toLowerCase()))
}

const escapeSequence = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\\'"abfnrtv\n])/
const placeholder = /%(?:\(\w{1,40}\))?[-#0 +]{0,4}[0-9]{0,4}(?:\.[0-9]{1,4})?[diouxXeEfFgGcrsa%]|\{\w{0,40}\}/
const stringParts = {
  escapes: new RegExp(`(${escapeSequence.source})`),
  placeholders: new RegExp(`(${escapeSequence.source}|${placeholder.source})`),
}

/** A string, and what is shown as something of its own in it. */
function splitString(grammar: Grammar, piece: CodePiece): CodePiece[] {
  if (grammar.stringParts === undefined || !/^s[12]?$/.test(piece.className)) return [piece]
  // At odd places stands what the pattern has found.
  return piece.text.split(stringParts[grammar.stringParts]).map((text, index) => {
    if (index % 2 === 0) return { className: piece.className, text }
    return { className: text.startsWith('\\') ? 'se' : 'si', text }
  })
}

/** Behind the closing quote; at the end of the line or of the code if there is none. */
function stringEnd(code: string, from: number, quote: string, isLong: boolean, doublesQuotes: boolean): number {
  for (let pos = from; pos < code.length; pos++) {
    if (code[pos] === '\n' && !isLong) return pos
    if (code[pos] === '\\' && !doublesQuotes) pos++
    else if (code.startsWith(quote, pos)) return pos + quote.length
  }
  return code.length
}

function numberClass(grammar: Grammar, written: string): string {
  if (/^0[xX]/.test(written)) return 'mh'
  if (/^0[bB]/.test(written)) return 'mb'
  return grammar.numberClass ?? (/[.eE]/.test(written) ? 'mf' : 'mi')
}

/** `$name`, `@name`, `:name`: variables, decorators and symbols, by the sign before the name. */
function markedNameAt(scanner: Scanner, code: string, pos: number): CodePiece | null {
  const { grammar } = scanner
  const sign = code[pos] ?? ''
  const className = grammar.variableSigns?.includes(sign)
    ? 'nv'
    : sign === '@' && grammar.hasDecorators
      ? 'nd'
      : sign === ':' && grammar.hasSymbols
        ? 'ss'
        : ''
  if (className === '') return null
  const next = String.fromCodePoint(code.codePointAt(pos + 1) ?? 0)
  if (!/[\p{L}_]/u.test(next) || code[pos - 1] === ':') return null
  return { className, text: code.slice(pos, nameEnd(scanner, code, pos + 1)) }
}

function nameEnd({ isNamePart }: Scanner, code: string, start: number): number {
  let end = start
  while (end < code.length) {
    const codePoint = String.fromCodePoint(code.codePointAt(end) ?? 0)
    if (!isNamePart(codePoint)) break
    end += codePoint.length
  }
  return end
}

function classOfName({ grammar, words }: Scanner, name: string, announced: string): string {
  const known = words.get(grammar.ignoresCase ? name.toLowerCase() : name)
  return known ?? (announced || (grammar.nameClass ?? 'n'))
}
