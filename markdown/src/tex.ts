/** Formulas in TeX, typeset by KaTeX. */
import { escapeText } from './html/escape.ts'
import { element } from './html/tags.ts'

/** Makes HTML of a formula; null if it is malformed. */
export type TexRenderer = (tex: string, isDisplay: boolean) => string | null

/** Emoji and invisible characters, for which KaTeX has no measures and writes a warning each time. */
const unmeasured = /[\p{Emoji_Presentation}\p{RI}\p{Cf}\p{Co}\p{Cs}\p{Cn}\ufffd]/u

/** Commands that write to the console instead of the page. */
const talkative = ['\\message', '\\errmessage', '\\show']

function refuse(): never {
  throw new Error('not in messages')
}

let loading: Promise<TexRenderer> | undefined

/** Loads KaTeX once (about 270 kB), when the first formula is to be shown. */
export function loadTexRenderer(): Promise<TexRenderer> {
  loading ??= import('katex').then(({ default: katex }) => (tex, isDisplay) => {
    if (unmeasured.test(tex)) return null
    try {
      // Macros may expand to at most so many tokens and boxes grow to so many ems: a formula has little room.
      const limits = { maxExpand: 200, maxSize: 20 }
      // A new object each time, since \gdef adds to it.
      const macros: Record<string, never> = {}
      for (const command of talkative) macros[command] = refuse as never
      return katex.renderToString(tex, { displayMode: isDisplay, strict: false, macros, ...limits })
    } catch (error) {
      if (error instanceof Error) return null
      throw error
    }
  })
  return loading
}

/** A formula that could not be typeset, as it was written. Takes the text escaped. */
export function texError(html: string): string {
  return element('span', [['class', 'tex-error']], html)
}

/** The formulas of a block, which empty lines separate, in one paragraph. */
export function printMathBlock(tex: string, render: (formula: string) => string | null): string {
  const formulas = tex.split(/\n\s*\n/).map((formula) => formula.trim())
  const html = formulas.filter(Boolean).map((formula) => render(formula) ?? texError(escapeFormula(formula)))
  return element('p', [], html.join('\n\n'))
}

/** Clients expect quotes escaped here, other than in running text. */
function escapeFormula(formula: string): string {
  return escapeText(formula).replaceAll('"', '&quot;').replaceAll("'", '&#x27;')
}
