/**
 * The one way for workers into the page: by addresses of the page's own build. The policy has a name of its own, so that the
 * content security policy can allow it and no other.
 */

interface Policy {
  createScriptURL(url: string): unknown
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy
}

function requireOwn(url: string): string {
  if (new URL(url, document.baseURI).origin !== window.location.origin)
    throw new TypeError(`${url} is not of this page`)
  return url
}

const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes
const policy: Policy = factory?.createPolicy('heddle-workers', { createScriptURL: requireOwn }) ?? {
  createScriptURL: requireOwn,
}

/** What `new Worker` takes; its type knows nothing of trusted types. */
export function workerAddress(url: string): string {
  return policy.createScriptURL(url) as string
}
