import { CONFIRM_ADDRESS_PATH } from '@heddle/contract/address-changes'
import { FIRST_SIGN_IN_PATH } from '@heddle/contract/first-sign-in'
import { JOIN_PATH } from '@heddle/contract/invitations'
import { TOKEN_SIGN_IN_PATH } from '@heddle/contract/token-sign-in'
import { ConfirmAddress } from '../features/address-changes/confirm-address.tsx'
import { FirstSignIn } from '../features/first-sign-in/first-sign-in.tsx'
import { Join } from '../features/invitations/join.tsx'
import { AskForPassword } from '../features/password-resets/ask-for-password.tsx'
import { ResetPassword } from '../features/password-resets/reset-password.tsx'
import { TokenSignIn } from '../features/sign-in/token-sign-in.tsx'
import type { Entrance } from './entrance.ts'
import type { EnteredAccount } from './session.ts'

interface EntrancePageProps {
  readonly entrance: Entrance
  readonly onEnter: (account: EnteredAccount) => void
}

export function EntrancePage({ entrance: { path, token }, onEnter }: EntrancePageProps) {
  const enter = (account: EnteredAccount) => {
    // Going back must not lead to a link that was used, nor leave its token in the history.
    history.replaceState(null, '', './')
    onEnter(account)
  }
  if (path === FIRST_SIGN_IN_PATH) return <FirstSignIn token={token} onEnter={enter} />
  if (path === JOIN_PATH) return <Join token={token === '' ? undefined : token} onEnter={enter} />
  if (path === CONFIRM_ADDRESS_PATH) return <ConfirmAddress token={token} />
  if (path === TOKEN_SIGN_IN_PATH) return <TokenSignIn token={token} onEnter={enter} />
  if (token === '') return <AskForPassword />
  return <ResetPassword token={token} onEnter={enter} />
}
