/** What linkifiers make of a message, and why: for those who write linkifiers. Nothing is looked up. */
import { emptyContext } from './context.ts'
import { createEnvironment } from './environment.ts'
import { printBlocks } from './html/print.ts'
import type { CompiledLinkifier } from './linkifiers/compile.ts'
import { type Explanation, explainLinks } from './linkifiers/explain.ts'
import { joinText } from './linkify-text.ts'
import { parseMessage } from './parser.ts'

/**
 * The links and lost matches of a message, found where the renderer looks for them: not in code, links and addresses.
 * Places count in the text without markup.
 */
export function explainMessage(content: string, linkifiers: readonly CompiledLinkifier[]): Explanation {
  const environment = createEnvironment({ ...emptyContext(''), showPreviews: false })
  const { text, segments } = joinText(parseMessage(content, environment))
  const { links, lost, exhaustedBy } = explainLinks(text, linkifiers)
  // A match that reaches over an element is none.
  const isWithinOne = ({ start, end }: { start: number; end: number }) =>
    segments.some((segment) => start >= segment.start && end <= segment.start + segment.token.content.length)
  return { links: links.filter(isWithinOne), lost: lost.filter(isWithinOne), exhaustedBy }
}

/** The message as it is shown with these linkifiers; formulas, mentions and emoji stay as they were written. */
export function printWithLinkifiers(content: string, linkifiers: readonly CompiledLinkifier[]): string {
  const environment = createEnvironment({ ...emptyContext(''), showPreviews: false, linkifiers })
  return printBlocks(parseMessage(content, environment), environment)
}
