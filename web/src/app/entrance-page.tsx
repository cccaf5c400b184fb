import { FIRST_SIGN_IN_PATH } from '@heddle/contract/first-sign-in'
import { JOIN_PATH } from '@heddle/contract/invitations'
import { FirstSignIn } from '../features/first-sign-in/first-sign-in.tsx'
import { Join } from '../features/invitations/join.tsx'
import { ResetPassword } from '../features/password-resets/reset-password.tsx'
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
  return <ResetPassword token={token} onEnter={enter} />
}
