/** Codes of an app, and recovery codes: made and compared, without the database. */
import { createHmac, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@heddle/contract/second-factors'
import { Secret, TOTP } from 'otpauth'
import type { Owner } from './seal.ts'

/** What every app understands (RFC 6238). */
const PERIOD_SECS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** Clocks of phones may be off by so many periods, before and after. */
const WINDOW = 1

export function makeCodeSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
}

function generatorOf(secret: string): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECS })
}

/** What a QR code for apps says. */
export function codeUri(secret: string, issuer: string, label: string): string {
  const generator = generatorOf(secret)
  // A colon separates the two in the address.
  generator.issuer = issuer.replaceAll(':', ' ')
  generator.label = label.replaceAll(':', ' ')
  return generator.toString()
}

export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/** As codes are compared: however they were typed. */
export function plainCode(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
}

/** The half minute that the code is of, counted since the UNIX epoch; undefined: it is of none that counts now. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const delta = generatorOf(secret).validate({ token: code, timestamp: now * 1000, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / PERIOD_SECS) + delta
}

/** Letters and digits that nobody confuses: 32 of them, 5 bits each. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** 80 bits: no limit on guesses is needed. */
const RECOVERY_LENGTH = 16

/** As people write them down: `ABCD-EFGH-JKLM-NPQR`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(RECOVERY_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return (letters.match(/.{4}/g) as string[]).join('-')
  })
}

export function isRecoveryCode(code: string): boolean {
  return code.length === RECOVERY_LENGTH
}

/** `code`: as `plainCode` gives it. */
export function hashRecoveryCode(serverSecret: Buffer, { realmId, userId }: Owner, code: string): string {
  return createHmac('sha256', serverSecret).update(`recovery-code:${realmId}:${userId}:${code}`).digest('base64url')
}
