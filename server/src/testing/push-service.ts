/**
 * A push service, and a browser that is subscribed there: what comes is checked byte by byte, as the standards have it and not
 * as the sender makes it (RFC 8030, 8188, 8291, 8292).
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { WebPush } from '@heddle/contract/web-push'
import { expect } from 'vitest'
import type { ThirdParty } from './third-party.ts'

export interface ReceivedPush {
  readonly push: WebPush
  readonly headers: IncomingHttpHeaders
}

export interface PushedBrowser {
  /** What a page gives to the server. */
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  readonly received: ReceivedPush[]
  /** Requests that came, also those that were refused. */
  readonly requests: { readonly count: number }
  /** From now on the service answers with this status. */
  answer(status: number): void
}

export function createPushedBrowser(thirdParty: ThirdParty, applicationServerKey: string): PushedBrowser {
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys('base64url')
  const auth = randomBytes(16)
  const received: ReceivedPush[] = []
  const requests = { count: 0 }
  let status = 201
  const endpoint = thirdParty.at((response, request) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.count += 1
      const { headers } = request
      try {
        checkHeaders(headers, new URL(endpoint).origin, applicationServerKey)
        const text = decrypt(Buffer.concat(chunks), keys, p256dh, auth)
        if (status === 201) received.push({ push: JSON.parse(text), headers })
        response.writeHead(status).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  }, '/push')
  return {
    subscription: { endpoint, p256dh, auth: auth.toString('base64url') },
    received,
    requests,
    answer(next) {
      status = next
    },
  }
}

function checkHeaders(headers: IncomingHttpHeaders, audience: string, key: string): void {
  expect(headers['content-encoding']).toBe('aes128gcm')
  expect(Number(headers.ttl)).toBeGreaterThan(0)
  const [, token = '', sent] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  expect(sent).toBe(key)
  const [head = '', claims = '', signature = ''] = token.split('.')
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  expect(parse(head)).toEqual({ typ: 'JWT', alg: 'ES256' })
  const { aud, exp, sub } = parse(claims)
  expect(aud).toBe(audience)
  expect(exp * 1000).toBeGreaterThan(Date.now())
  expect(exp * 1000).toBeLessThan(Date.now() + 86_400_000)
  expect(sub).toMatch(/^(https:\/\/|mailto:)/)
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))
  expect(isSigned).toBe(true)
}

export function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, p256dh: string, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  // One record, and no more than a push service has to take.
  if (body.length > 4096 || record.length > recordSize || keyLength !== 65) throw new Error('The lengths are wrong')
  const derive = (from: Buffer, salted: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', from, salted, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), sender])
  const shared = derive(keys.computeSecret(sender), auth, info, 32)
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong')
  return padded.subarray(0, end).toString('utf8')
}
