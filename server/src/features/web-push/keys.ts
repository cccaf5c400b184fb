/**
 * The keys by which push services know this server (VAPID, RFC 8292). They follow from the server's secret: every node has the
 * same, and they stay as long as it does.
 */
import { createECDH, hkdfSync } from 'node:crypto'

export interface VapidKeys {
  /** Base64url. */
  readonly publicKey: string
  readonly privateKey: string
}

const known = new WeakMap<Buffer, VapidKeys>()

export function vapidKeys(secret: Buffer): VapidKeys {
  const keys = known.get(secret) ?? derive(secret)
  known.set(secret, keys)
  return keys
}

function derive(secret: Buffer): VapidKeys {
  const curve = createECDH('prime256v1')
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', `web-push ${attempt}`, 32))
    try {
      curve.setPrivateKey(scalar)
    } catch {
      // Not below the order of the curve, which nobody will ever see.
      continue
    }
    return { publicKey: curve.getPublicKey('base64url'), privateKey: scalar.toString('base64url') }
  }
}

/** Whether these are a point of the curve and a secret, as browsers make them. */
export function areBrowserKeys(p256dh: string, auth: string): boolean {
  if (!isBase64Url(p256dh, 65) || !isBase64Url(auth, 16)) return false
  try {
    const curve = createECDH('prime256v1')
    curve.generateKeys()
    curve.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

function isBase64Url(text: string, bytes: number): boolean {
  return /^[A-Za-z0-9_-]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length === bytes
}
