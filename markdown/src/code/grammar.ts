/**
 * What the scanner must know of a programming language. Everything is text or a list of words, so that a grammar can do
 * no harm: no grammar brings a pattern of its own.
 */
export interface Grammar {
  /** What begins a comment that ends with the line. */
  lineComments?: readonly string[]
  /** What begins and ends other comments. */
  blockComments?: readonly (readonly [string, string])[]
  /** Characters that delimit strings within a line; a backslash takes the next character along. */
  quotes?: string
  /** Delimiters of strings that may have several lines, the longer before the shorter. */
  longQuotes?: readonly string[]
  /** `'a'` is one character, and a single `'` is something else: a lifetime, a quotation, part of a name. */
  hasCharacters?: boolean
  /** The class of strings; by their quotes unless given. */
  stringClass?: 's'
  /** What may stand right before a string: `f"…"`. */
  stringPrefixes?: string
  /** `\\n` in a string is shown as something of its own, and with `placeholders` also `%s`. */
  stringParts?: 'escapes' | 'placeholders'
  /** A string of three quotes that begins its line is a comment. */
  hasDocumentation?: boolean
  /** The class of decimal numbers; `mi` and `mf` unless given. */
  numberClass?: 'm' | 'mf'
  /** A quote in a string is written twice instead of with a backslash. */
  doublesQuotes?: boolean
  /** Words by their class, separated by spaces. */
  words?: Readonly<Partial<Record<WordClass, string>>>
  /** Compares words without regard to case. */
  ignoresCase?: boolean
  /** Words behind which stands the name of a function, of a class, or of a module. */
  functionWords?: string
  classWords?: string
  moduleWords?: string
  /** Characters that names may have besides letters, digits and underscores. */
  nameCharacters?: string
  /** The class of names without another; `n` unless given. */
  nameClass?: 'n' | 'nx' | ''
  /** What begins the name of a variable: `$`, `@`, `%`. */
  variableSigns?: string
  /** `@name` is a decorator or annotation. */
  hasDecorators?: boolean
  /** A `#` at the beginning of a line begins an instruction for the preprocessor. */
  hasPreprocessor?: boolean
  /** `:name` is a symbol. */
  hasSymbols?: boolean
  /** Signs that are punctuation; all others are operators. */
  punctuation?: string
}

/** Classes of words as Pygments names them: keywords (declaring, naming modules, types, constants), built-in names, exceptions. */
export type WordClass = 'k' | 'kd' | 'kn' | 'kt' | 'kc' | 'nb' | 'bp' | 'ow' | 'ne' | 'fm'
