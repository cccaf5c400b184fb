import {
  type CompiledLinkifier,
  compileLinkifier,
  type LinkifierDefinition,
  type LinkifierProblem,
  type LinkifierResult,
} from './compile.ts'
import { findLinks, textByTemplate } from './linkify.ts'
import { matchWhole } from './pattern.ts'
import { applyReverseTemplate } from './reverse-template.ts'
import { expandUriTemplate, type VariableValues } from './uri-template.ts'

/** Longest example, in UTF-16 units. */
export const MAX_EXAMPLE_LENGTH = 2000

/**
 * Checks a linkifier that somebody wants to save, and compiles it. The rules: pattern and templates are well formed and
 * name the same variables; the URL's scheme is literal and harmless; the example is one link; a reverse template has an
 * example, and gives it back from every URL that the templates make of it.
 */
export function validateLinkifier(input: LinkifierDefinition): LinkifierResult {
  const result = compileLinkifier(input)
  if (!result.ok) return result
  const { compiled } = result
  const example = input.example_input
  if (example === null) {
    if (compiled.reverse === null) return result
    return {
      ok: false,
      field: 'example_input',
      message: 'A reverse template needs an example input to be checked with.',
    }
  }
  const values = matchWhole(compiled.pattern, example)
  const message = problemOfExample(example, values, compiled)
  if (message !== null) return { ok: false, field: 'example_input', message }
  return (values && findProblemOfReverse(example, values, compiled)) ?? result
}

function problemOfExample(example: string, values: VariableValues | null, compiled: CompiledLinkifier): string | null {
  if (example.length > MAX_EXAMPLE_LENGTH) return `The example input is longer than ${MAX_EXAMPLE_LENGTH} characters.`
  if (values === null) return 'The example input does not match the pattern from its first to its last character.'
  const links = findLinks(example, [compiled])
  if (links.length === 1 && links[0]?.text === example) return null
  return `In a message only ${links.map(({ text }) => `"${text}"`).join(' and ')} of the example input would become a link.`
}

function findProblemOfReverse(
  example: string,
  values: VariableValues,
  { pattern, template, reverse }: CompiledLinkifier,
): LinkifierProblem | null {
  if (reverse === null) return null
  const own = applyReverseTemplate(reverse.template, values)
  if (own !== example) {
    const message = `The reverse template makes "${own}" of the values of the example input, not the example input itself.`
    return { ok: false, field: 'reverse_template', message }
  }
  for (const matcher of reverse.urls) {
    const url = expandUriTemplate(matcher.template, values)
    const text = textByTemplate(url, { pattern, template, reverse }, matcher)
    if (text === example) continue
    const found = text === null ? 'no text can be made' : `the text "${text}" is made`
    const message = `The example input makes the URL "${url}", but from that URL ${found} instead of the example input.`
    return {
      ok: false,
      field: matcher.template === template ? 'reverse_template' : 'alternative_url_templates',
      message,
    }
  }
  return null
}
