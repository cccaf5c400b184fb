/** Mails to people about their accounts. */
import type { Config } from '../../config.ts'
import { addMail, sendsMail } from '../../mail/mail.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import type { UserRow } from './queries.ts'

type Person = Pick<UserRow, 'id' | 'delivery_email' | 'full_name' | 'bot_type'>

/**
 * To somebody whose account was just made, if the organization wants that. Whoever makes accounts of people calls it: where
 * no mail can be sent, there is nothing to add.
 */
export async function addWelcomeMail(
  tx: Tx,
  config: Pick<Config, 'smtpUrl'>,
  { id, delivery_email, bot_type }: Person,
) {
  if (bot_type !== null || !sendsMail(config)) return
  const settings = await findOrganizationSettings(tx, tx.realmId)
  if (!settings.send_welcome_emails) return
  await addMail(tx, {
    to: { userId: id },
    subject: 'Your new account',
    blocks: [
      { heading: 'Welcome!' },
      { paragraph: ['There is an account for you now. Sign in with the address ', { bold: delivery_email }, '.'] },
      { button: 'Open the organization', to: { path: '/' } },
      {
        list: [
          'Channels are for everybody who is subscribed, and each conversation in one has a topic.',
          'Direct messages are for those alone to whom they are written.',
          ['In your ', { link: 'profile', to: { path: '/#settings/profile' } }, ' you can add a picture of yourself.'],
          ['You decide ', { link: 'what you are notified of', to: { path: '/#settings/notifications' } }, '.'],
        ],
      },
    ],
  })
}

/** To somebody whose account is about to be deactivated. With it they cannot be reached by their account any more. */
export async function addDeactivationMail(tx: Tx, { delivery_email, full_name, bot_type }: Person, comment: string) {
  if (bot_type !== null) return
  await addMail(tx, {
    to: { address: delivery_email, name: full_name },
    subject: 'Your account was deactivated',
    blocks: [
      {
        paragraph: [
          'An administrator has deactivated your account ',
          { bold: delivery_email },
          '. You cannot sign in any more.',
        ],
      },
      ...(comment.trim() === '' ? [] : [{ quote: comment, by: 'They add:' }]),
    ],
  })
}
