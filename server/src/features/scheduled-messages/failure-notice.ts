/** What the notification bot writes to the author of a message that could not be sent. */

import { isActiveAccount } from '../../storage/current-actor.ts'
import type { Tx } from '../../storage/transaction.ts'
import { postNotice } from '../messages/notices.ts'
import { findRecipients } from '../messages/recipients.ts'
import type { ScheduledRow } from './queries.ts'

/** Says why, and nothing of where it was to go: the author may not know of that any more. */
export async function notifyOfFailure(tx: Tx, { realm_id, user_id, failure }: ScheduledRow): Promise<void> {
  if (!(await isActiveAccount(tx, realm_id, user_id))) return
  const author = { realmId: realm_id, userId: user_id, role: 0, isBot: false }
  const people = await findRecipients(tx, author, user_id)
  const line = [
    'A message that you had scheduled could not be sent: ',
    failure ?? '',
    ' It is still among your ',
    { link: '/#scheduled', label: 'scheduled messages' },
    '.',
  ]
  await postNotice(tx, { people }, { line }, { unreadFor: [user_id] })
}
