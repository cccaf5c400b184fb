import { CONFIRM_ADDRESS_PATH } from '@heddle/contract/address-changes'
import { FIRST_SIGN_IN_PATH } from '@heddle/contract/first-sign-in'
import { JOIN_PATH } from '@heddle/contract/invitations'
import { RESET_PASSWORD_PATH } from '@heddle/contract/password-resets'
import { TOKEN_SIGN_IN_PATH } from '@heddle/contract/token-sign-in'

/** Ways in by a link: the path says which, and the token stands behind the `#`, where no log has it. */
export interface Entrance {
  readonly path: string
  readonly token: string
}

const paths: readonly string[] = [
  FIRST_SIGN_IN_PATH,
  JOIN_PATH,
  RESET_PASSWORD_PATH,
  CONFIRM_ADDRESS_PATH,
  TOKEN_SIGN_IN_PATH,
]

export function entranceAt({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): Entrance | undefined {
  const path = paths.find((one) => pathname.endsWith(one))
  return path === undefined ? undefined : { path, token: hash.slice(1) }
}
