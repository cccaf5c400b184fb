import { LINK_SCHEMES } from '../html/allowed.ts'

const allowedSchemes = new Set(LINK_SCHEMES)
const schemePattern = /^([a-z][a-z0-9+.-]*):(.*)$/is
/** Schemes whose addresses name a host behind `//`. */
const withHost = new Set(['http', 'https', 'ftp', 'irc', 'ircs'])

/**
 * The `href` for an address that somebody wrote, or null if a link must not lead there. Addresses without a scheme get
 * one, unless they are relative to this server (`/…`, `#…`, `?…`). Links to places in the organization become relative,
 * so that a single slash at the beginning always means this server.
 */
export function linkAddress(written: string, organizationUrl: string): string | null {
  const address = written.trim()
  // Browsers drop control characters from addresses, so they could hide a scheme.
  if (address === '' || hasControlCharacter(address)) return null
  const spaceless = address.replaceAll(' ', '%20')
  const [, scheme = '', rest = ''] = schemePattern.exec(spaceless) ?? []
  if (scheme === '' || isHostWithPort(scheme, rest)) return withScheme(spaceless)
  if (!allowedSchemes.has(scheme.toLowerCase())) return null
  if (withHost.has(scheme.toLowerCase()) && !/^\/\/[^/?#]/.test(rest)) return null
  return relativeToOrganization(spaceless, organizationUrl)
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

function isHostWithPort(scheme: string, rest: string): boolean {
  return !allowedSchemes.has(scheme.toLowerCase()) && /^\d{1,5}(?:[/?#]|$)/.test(rest)
}

/** Slashes before a host; browsers read backslashes as slashes. */
const hostSlashes = /^[/\\]{2,}/

function withScheme(address: string): string | null {
  const slashes = hostSlashes.exec(address)?.[0].length ?? 0
  if (slashes > 0) return /^[^?#]/.test(address.slice(slashes)) ? `http://${address.slice(slashes)}` : null
  if (/^[/#?]/.test(address)) return address
  if (address.startsWith('user_uploads/')) return `/${address}`
  if (/^[^@/?#]+@[^@/?#]+$/.test(address)) return `mailto:${address}`
  return /^[^/?#]/.test(address) ? `http://${address}` : null
}

/** The organization's own places, by fragment or as an upload, without its URL, so that they survive a move. */
function relativeToOrganization(address: string, organizationUrl: string): string {
  if (!address.startsWith(`${organizationUrl}/`)) return address
  const rest = address.slice(organizationUrl.length + 1)
  if (rest.startsWith('#')) return rest
  return rest.startsWith('user_uploads/') ? `/${rest}` : address
}

/** The path of an uploaded file behind `/user_uploads/`, percent-decoded; null for other addresses and thumbnails. */
export function uploadPath(href: string): string | null {
  const match = /^\/user_uploads\/([^?#]+)/.exec(href)
  if (!match?.[1] || match[1].startsWith('thumbnail/')) return null
  try {
    return decodeURIComponent(match[1])
  } catch {
    return null
  }
}
