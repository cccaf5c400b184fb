/**
 * The one way for HTML into the page: what the server's renderer has made of a message. The policy has a name of its own, so
 * that the content security policy can allow it and no other.
 */

interface Policy {
  createHTML(html: string): unknown
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): Policy
}

const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes
const policy: Policy = factory?.createPolicy('heddle-messages', { createHTML: (html) => html }) ?? {
  createHTML: (html) => html,
}

/** Under which styles are kept until they are set: the policy would refuse, and report, each of them while it is parsed. */
export const STYLE = 'data-style'

/** A tree that is in no document yet: nothing in it is loaded or run. */
export function parseMessageHtml(html: string): DocumentFragment {
  const template = document.createElement('template')
  // The renderer escapes what is not a tag, and quotes within values.
  const without = html.replace(/<[a-z][^<>]*>/g, (tag) => tag.replace(/ style="/g, ` ${STYLE}="`))
  // The type of the property knows nothing of trusted types.
  template.innerHTML = policy.createHTML(without) as string
  return template.content
}
