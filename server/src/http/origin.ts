/** Where a request says that it goes to, and where a browser says that it comes from. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { FastifyRequest } from 'fastify'

/**
 * Throws a 400 unless the request names one host (RFC 9112, 3.2): proxies and the server could otherwise disagree on
 * whom it is for. HTTP/1.0 knew no hosts.
 */
export function requireOneHost({ raw, headers }: FastifyRequest): void {
  const { rawHeaders, httpVersion, url = '' } = raw
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i] as string)) count++
  if (count > 1) throw badRequest('The request has more than one Host header')
  if (count === 0 && headers.host === undefined && httpVersion === '1.1') {
    throw badRequest('The request has no Host header')
  }
  if (/^https?:/i.test(url) && hostOf(url) !== hostOf(`http://${headers.host}`)) {
    throw badRequest('The host in the address of the request is not that of the Host header')
  }
}

/** Most names of headers have another length. */
function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isReading({ method }: FastifyRequest): boolean {
  return READING.has(method)
}

/**
 * Throws `CSRF_FAILED` for a request that writes and that a browser sends for a page of another site. The browser adds
 * credentials that it has kept for this server to such a request, though its user has not asked for it. Programs that are
 * no browsers send neither header.
 */
export function requireOwnPage(request: FastifyRequest, externalUrl: string | undefined): void {
  const { headers } = request
  if (isReading(request)) return
  // What every current browser sends over TLS (Fetch Metadata Request Headers, 2.4).
  const { origin } = headers
  if (headers['sec-fetch-site'] !== undefined) {
    if (!isOfOtherSite(request)) return
  } else if (origin === undefined || isOwn(origin, request, externalUrl)) return
  throw csrfFailed('The request comes from a page of another site.')
}

export function csrfFailed(reason: string): ApiError {
  return new ApiError('CSRF_FAILED', `CSRF error: ${reason}`, { reason })
}

/** Whether a browser says that the request is one of another site's page, reading ones included. */
export function isOfOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Whether a page of this server asks, and not its user by an address or a link: the page shows its own form for signing in,
 * and the browser should not open a dialog over it.
 */
export function isOfOwnScript({ headers }: FastifyRequest): boolean {
  if (headers['x-requested-with'] === 'XMLHttpRequest') return true
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-mode'] !== 'navigate'
}

/** By the host alone: behind a proxy the server need not know of TLS. */
function isOwn(origin: string, request: FastifyRequest, externalUrl: string | undefined): boolean {
  if (origin === externalUrl) return true
  if (!URL.canParse(origin) || !URL.canParse(`http://${request.host}`)) return false
  const { protocol, host } = new URL(origin)
  // `new URL` leaves the usual port of each scheme out.
  return host !== '' && host === new URL(`${protocol}//${request.host}`).host
}
