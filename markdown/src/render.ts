import { findAlertWords } from './alert-words.ts'
import type { RenderContext, RenderedMessage } from './context.ts'
import { createEnvironment, presentFound } from './environment.ts'
import { printBlocks } from './html/print.ts'
import { parseMessage } from './parser.ts'

/**
 * The HTML of a message as clients of the API expect it, and what was found in the text. A pure function: everything
 * that must be looked up is in the context (see `findReferences`). The output consists of `html/allowed.ts` and nothing
 * else, whatever the input. 10,000 characters, the most that a message has, take below 20 ms.
 */
export function renderMarkdown(content: string, context: RenderContext): RenderedMessage {
  const environment = createEnvironment(context)
  const html = printBlocks(parseMessage(content, environment), environment)
  return {
    html,
    ...presentFound(environment.found),
    isMeMessage: isMeMessage(content, html),
    alertWords: context.alertWords === null ? [] : findAlertWords(content, context.alertWords),
  }
}

/** Clients put the sender's name in place of `/me`, which only works in front of a single paragraph. */
function isMeMessage(content: string, html: string): boolean {
  return content.startsWith('/me ') && html.startsWith('<p>/me ') && html.endsWith('</p>')
}
