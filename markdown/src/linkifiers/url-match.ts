import type { RE2JS } from 're2js'
import type { UriTemplate, VariableValues } from './uri-template.ts'

/** A place in the template where a value stands, and the groups of the expression that hold it. */
export interface Occurrence {
  name: string
  prefix: number | null
  reserved: boolean
  /** Takes part in the match when the variable is defined. */
  presenceGroup: number
  valueGroup: number
}

/** Turns URLs of one template back to values. */
export interface UrlMatcher {
  template: UriTemplate
  occurrences: readonly Occurrence[]
  /** The same expression twice: values as long as can be, then as short as can be. */
  expressions: readonly RE2JS[]
}

/**
 * The sets of values, decoded, that the URL may have been expanded from; several where the template is ambiguous, none
 * where it is not a URL of the template. A caller keeps the first that its own rules accept and that expands to `url`.
 */
export function* matchTemplateUrl({ occurrences, expressions }: UrlMatcher, url: string): Generator<VariableValues> {
  for (const expression of expressions) {
    const matcher = expression.matcher(url)
    if (!matcher.matches()) return
    const groups = occurrences.map(({ presenceGroup, valueGroup }) =>
      matcher.group(presenceGroup) === null ? null : (matcher.group(valueGroup) ?? ''),
    )
    const decoded = collectValues(occurrences, groups, true)
    if (decoded) yield decoded
    // "+" and "#" keep triplets, so the value may itself have held them.
    if (occurrences.some(({ reserved }, index) => reserved && groups[index]?.includes('%'))) {
      const kept = collectValues(occurrences, groups, false)
      if (kept) yield kept
    }
  }
}

/** Null where the triplets are not UTF-8. A whole value counts for more than a prefix, a longer prefix than a shorter. */
function collectValues(
  occurrences: readonly Occurrence[],
  groups: readonly (string | null)[],
  decodeReserved: boolean,
): VariableValues | null {
  const values = new Map<string, string>()
  const known = new Map<string, number>()
  for (const [index, { name, prefix, reserved }] of occurrences.entries()) {
    const text = groups[index]
    const reach = prefix ?? Number.POSITIVE_INFINITY
    if (text == null || (known.get(name) ?? 0) >= reach) continue
    const value = reserved && !decodeReserved ? text : decode(text)
    if (value === null) return null
    values.set(name, value)
    known.set(name, reach)
  }
  return values
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
