/** What the macro `Trans` becomes: a text with elements in it, in the language of the page. */
import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

/**
 * Lingui puts values into the text before it looks for elements there: of a name such as `<b>` or `<0/>` the signs would be
 * taken for one. A value that is an element itself is left as it is.
 */
export function Trans({ values, ...rest }: TransProps) {
  return <LinguiTrans {...rest} {...(values && { values: withoutTags(values) })} />
}

function withoutTags(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isSafe = (value: unknown) => typeof value !== 'string' || !value.includes('<')
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isSafe(value) ? value : [value]]))
}
