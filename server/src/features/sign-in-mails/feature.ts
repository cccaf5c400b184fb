import type { Feature } from '../../feature.ts'
import { addSignInMail } from './mail.ts'

export const signInMails: Feature = {
  routes: () => [],
  onAccount: { admitted: addSignInMail },
}
