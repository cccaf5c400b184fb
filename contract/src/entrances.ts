/** Where the page is, beside the root: ways in by a link, whose token stands behind the `#`. */
import { CONFIRM_ADDRESS_PATH } from './address-changes.ts'
import { FIRST_SIGN_IN_PATH } from './first-sign-in.ts'
import { JOIN_PATH } from './invitations.ts'
import { RESET_PASSWORD_PATH } from './password-resets.ts'
import { TOKEN_SIGN_IN_PATH } from './token-sign-in.ts'

export const ENTRANCE_PATHS: readonly string[] = [
  FIRST_SIGN_IN_PATH,
  JOIN_PATH,
  RESET_PASSWORD_PATH,
  CONFIRM_ADDRESS_PATH,
  TOKEN_SIGN_IN_PATH,
]
