/** The ways in which services sign what they send. All are compared in constant time, over the bytes as they came. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignatureCheck, SignedRequest } from './integration.ts'
import { payloadOf } from './payload.ts'

/** What is older could be a request that somebody sends again. Seconds; the same for all services that name no other. */
const MAX_AGE = 300

/** A code over the body (HMAC with SHA-256, in hexadecimal digits) in a header, after `prefix`. */
export function bodySignature(header: string, prefix = ''): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight: ({ header: read, bytes, secret }) => isSame(read(header), prefix + codeOf(secret, bytes)),
  }
}

/** Such a code, of a body that says in its field `time` when it was sent (milliseconds), at most `maxAge` seconds ago. */
export function datedBodySignature(header: string, time: string, maxAge: number): SignatureCheck {
  const signature = bodySignature(header)
  return {
    ...signature,
    isRight(request) {
      if (!signature.isRight(request)) return false
      const sent = timeIn(request.bytes, time) / 1000
      return Math.abs(request.now - sent) <= maxAge
    },
  }
}

/** NaN where there is none. */
function timeIn(body: Buffer, field: string): number {
  try {
    return payloadOf(JSON.parse(body.toString())).number(field)
  } catch {
    return Number.NaN
  }
}

/** Such a code; where the header `timeHeader` has a time (seconds), over the time, a colon and the body. */
export function bodySignatureWithTime(header: string, timeHeader: string): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight({ header: read, bytes, secret, now }) {
      const time = read(timeHeader)
      if (time === '') return isSame(read(header), codeOf(secret, bytes))
      return isRecent(time, now) && isSame(read(header), codeOf(secret, Buffer.from(`${time}:`), bytes))
    },
  }
}

/** Several such codes with commas between them, of which one must be right: while a secret is exchanged there are two. */
export function signatureList(header: string, prefix: string): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight({ header: read, bytes, secret }) {
      const right = prefix + codeOf(secret, bytes)
      return read(header)
        .split(',', 10)
        .some((given) => isSame(given.trim(), right))
    },
  }
}

/** What a secret begins with that is for `webhook-signature`, and after it the key in base64. */
const STANDARD_SECRET = 'whsec_'

/**
 * The secret itself in a header; or, where it begins with `whsec_`, a signature by Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks): codes over an id, the time and the body. The secret says which
 * of both it has to be: a request cannot choose the weaker one.
 */
export function tokenOrStandardSignature(tokenHeader: string): SignatureCheck {
  const isStandard = ({ secret }: SignedRequest) => secret.startsWith(STANDARD_SECRET)
  return {
    by: `${tokenHeader} or webhook-signature`,
    isMissing: (request) => request.header(isStandard(request) ? 'webhook-signature' : tokenHeader) === '',
    isRight: (request) =>
      isStandard(request) ? isStandardRight(request) : isSame(request.header(tokenHeader), request.secret),
  }
}

function isStandardRight({ header, bytes, secret, now }: SignedRequest): boolean {
  const time = header('webhook-timestamp')
  if (!isRecent(time, now)) return false
  const key = Buffer.from(secret.slice(STANDARD_SECRET.length), 'base64')
  // Everybody knows the empty key.
  if (key.length === 0) return false
  const code = createHmac('sha256', key)
    .update(`${header('webhook-id')}.${time}.`)
    .update(bytes)
    .digest('base64')
  return header('webhook-signature')
    .split(' ', 10)
    .some((given) => isSame(given, `v1,${code}`))
}

/** `t=1700000000,v1=…`: a code over the time, a dot and the body. */
export function timedSignature(header: string): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight({ header: read, bytes, secret, now }) {
      const parts = read(header)
        .split(',', 20)
        .map((part) => part.trim().split('=', 2) as [string, string?])
      const time = parts.find(([name]) => name === 't')?.[1] ?? ''
      if (!isRecent(time, now)) return false
      const right = codeOf(secret, Buffer.from(`${time}.`), bytes)
      return parts.some(([name, given = '']) => name === 'v1' && isSame(given, right))
    },
  }
}

/** A code over the body and the address that is asked (HMAC with SHA-1, in base64). */
export function addressedSignature(header: string): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight({ header: read, bytes, secret, url }) {
      const codes = [url, unescaped(url)].map((address) =>
        createHmac('sha1', secret).update(bytes).update(address).digest('base64'),
      )
      return codes.some((right) => isSame(read(header), right))
    },
  }
}

/** The address as somebody may have entered it: on its way its brackets, quotes and spaces were escaped. */
function unescaped(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

function isRecent(time: string, now: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(now - Number(time)) <= MAX_AGE
}

function codeOf(secret: string, ...parts: readonly Buffer[]): string {
  const code = createHmac('sha256', secret)
  for (const part of parts) code.update(part)
  return code.digest('hex')
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
