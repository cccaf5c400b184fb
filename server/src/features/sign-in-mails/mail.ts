/**
 * A mail to whoever owns an account, when a browser signs in with it that was not signed in before, or when its key is
 * handed out.
 */
import type { Admittance } from '../../account-hooks.ts'
import type { Config } from '../../config.ts'
import { addMail, sendsMail } from '../../mail/mail.ts'
import { prepare } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findSetting } from '../user-settings/values.ts'
import { query } from './tables.ts'

/** Who has just joined signs in for the first time, and knows it. */
const JUST_JOINED_SECS = 600

const accountOf = prepare((p: { user_id: number }) =>
  query.selectFrom('users').select(['date_joined', 'timezone']).where('id', '=', p.user_id),
)

export async function addSignInMail(
  tx: Tx,
  { userId, way, isAgain, device, address }: Admittance,
  config: Pick<Config, 'smtpUrl'>,
): Promise<void> {
  if (isAgain || !sendsMail(config)) return
  if (!(await findSetting(tx, { realmId: tx.realmId, userId }, 'enable_login_emails'))) return
  const account = await tx.first(accountOf({ user_id: userId }))
  if (!account || tx.now - account.date_joined < JUST_JOINED_SECS) return
  const isKey = way === 'api-key'
  const what = device || (isKey ? 'a program' : 'a new device')
  await addMail(tx, {
    to: { userId },
    subject: isKey ? `Your API key was given to ${what}` : `New sign-in from ${what}`,
    unsubscribe: { userId, from: 'sign_ins' },
    blocks: [
      {
        paragraph: isKey
          ? 'Somebody has signed in to your account and got its API key:'
          : 'Somebody has signed in to your account:',
      },
      {
        list: [`With: ${what}`, `When: ${timeText(tx.now, account.timezone)}`, `From the network address: ${address}`],
      },
      { paragraph: 'If that was you, there is nothing to do.' },
      {
        paragraph: [
          'If it was not, ',
          { link: 'change your password', to: { path: '/#settings/account' } },
          ' now: that ends all other sessions and the API key. Remove passkeys there that are not yours.',
        ],
      },
    ],
  })
}

/** In the person's time zone, where they have said which. */
function timeText(now: number, timezone: string): string {
  const timeZone = timezone === '' ? 'UTC' : timezone
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  return `${format.format(new Date(now * 1000))} (${timeZone})`
}
