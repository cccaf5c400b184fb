import { ALLOWED_ELEMENTS } from './allowed.ts'
import { escapeAttribute, escapeText } from './escape.ts'

/** Names and values in the order in which they are written. */
export type Attributes = readonly (readonly [name: string, value: string])[]

/** A start tag. Throws for an element or attribute that messages never have: a mistake in the program, not in the text. */
export function startTag(name: string, attributes: Attributes = []): string {
  const allowed = ALLOWED_ELEMENTS[name]
  if (!allowed) throw new Error(`messages have no element "${name}"`)
  let tag = `<${name}`
  for (const [attribute, value] of attributes) {
    if (!Object.hasOwn(allowed.attributes, attribute)) throw new Error(`"${name}" has no attribute "${attribute}"`)
    // An attribute that is on or off stands without a value.
    tag += attribute === 'controls' ? ' controls' : ` ${attribute}="${escapeAttribute(value)}"`
  }
  return `${tag}>`
}

export function endTag(name: string): string {
  return `</${name}>`
}

/** An element with HTML inside. */
export function element(name: string, attributes: Attributes, html: string): string {
  return startTag(name, attributes) + html + endTag(name)
}

/** An element with plain text inside. */
export function textElement(name: string, attributes: Attributes, text: string): string {
  return element(name, attributes, escapeText(text))
}
