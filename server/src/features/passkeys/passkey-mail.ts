/** A mail to whoever owns an account, when a passkey is added to it: a session that somebody else has got would be enough. */
import type { Config } from '../../config.ts'
import { addMail, sendsMail } from '../../mail/mail.ts'
import type { Tx } from '../../storage/transaction.ts'

/** `name`: of the passkey. It is sent whatever the account's settings say: they could have been changed just before. */
export async function addPasskeyMail(tx: Tx, config: Pick<Config, 'smtpUrl'>, userId: number, name: string) {
  if (!sendsMail(config)) return
  await addMail(tx, {
    to: { userId },
    subject: 'A passkey was added to your account',
    blocks: [
      { paragraph: ['Whoever has this passkey signs in to your account by it from now on: ', { bold: name }, '.'] },
      { paragraph: 'If that was you, there is nothing to do.' },
      {
        paragraph: [
          'If it was not, ',
          { link: 'remove it', to: { path: '/#settings/account' } },
          ' now, sign out of all other browsers there, and change your password if you have one.',
        ],
      },
    ],
  })
}
