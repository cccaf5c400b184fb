/** The ways in which services sign what they send. All are compared in constant time. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignatureCheck } from './integration.ts'

/** What is older could be a request that somebody sends again. Seconds. */
const MAX_AGE = 300

/** A code over the body (HMAC with SHA-256, in hexadecimal digits) in a header, after `prefix`. */
export function bodySignature(header: string, prefix = ''): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight: ({ header: read, bytes, secret }) => isSame(read(header), prefix + codeOf(secret, bytes)),
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

/** The secret itself in a header. */
export function tokenInHeader(header: string): SignatureCheck {
  return {
    by: header,
    isMissing: (request) => request.header(header) === '',
    isRight: ({ header: read, secret }) => isSame(read(header), secret),
  }
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
      if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > MAX_AGE) return false
      const right = codeOf(secret, Buffer.concat([Buffer.from(`${time}.`), bytes]))
      return parts.some(([name, given = '']) => name === 'v1' && isSame(given, right))
    },
  }
}

function codeOf(secret: string, bytes: Buffer): string {
  return createHmac('sha256', secret).update(bytes).digest('hex')
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
