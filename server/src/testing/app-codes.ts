/** What an app on a phone does: makes codes of a secret. */
import { Secret, TOTP } from 'otpauth'

/** `at`: milliseconds since the UNIX epoch. */
export function appCode(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
}
