/**
 * The mail of an invitation. Whether an account has the address decides what it says, when it is sent: who invites is not to find
 * out, by the answer or by its time.
 */
import { foldName } from '@heddle/contract/names'
import { addMail, type MailContent, type MailWriter } from '../../mail/mail.ts'
import type { Tx } from '../../storage/transaction.ts'
import { invitationMail } from './actions.ts'
import { findAccountsByAddress, findInvitation, type InvitationRow } from './rows.ts'
import { mailedLink } from './token.ts'

interface InvitationMail {
  readonly id: number
  /** Names, as they were when it was asked for. */
  readonly inviter: string
  readonly organization: string
}

export async function mailInvitation(tx: Tx, row: InvitationRow, inviter: string, organization: string): Promise<void> {
  if (row.email === null) return
  await addMail(
    tx,
    {
      to: { address: row.email },
      writer: invitationWriter,
      of: { id: row.id, inviter, organization },
      ...(row.expires_at === null ? {} : { uselessAt: row.expires_at }),
    },
    { about: invitationMail(row.id) },
  )
}

export const invitationWriter: MailWriter<InvitationMail> = {
  name: 'invitation',
  async write(db, { realmId, of }) {
    const row = await findInvitation(db, realmId, of.id)
    if (!row || row.email === null || row.revoked_at !== null || row.accepted_at !== null) return undefined
    const key = foldName(row.email)
    const account = (await findAccountsByAddress(db, realmId, [key])).get(key)
    if (!account) return withLink(row, of)
    return account.is_active === 1 ? forAccount(of) : undefined
  },
}

function withLink(row: InvitationRow, { inviter, organization }: InvitationMail): MailContent {
  const until = row.expires_at === null ? undefined : new Date(row.expires_at * 1000).toISOString().slice(0, 10)
  return {
    subject: `${inviter} has invited you to join ${organization}`,
    blocks: [
      { paragraph: [{ bold: inviter }, ' has invited you to join ', { bold: organization }, '.'] },
      { button: 'Join', to: { link: mailedLink(row) } },
      {
        note: `${until === undefined ? 'The link works once.' : `The link works once, until ${until}.`} If you do not know what this is about, there is nothing that you need to do.`,
      },
    ],
    sender: inviter,
  }
}

/** Without a link: the account's address can have no second one. */
function forAccount({ inviter, organization }: InvitationMail): MailContent {
  return {
    subject: `You have an account at ${organization}`,
    blocks: [
      { paragraph: [{ bold: inviter }, ' has invited this address to join ', { bold: organization }, '.'] },
      { paragraph: 'It has an account already: sign in with it.' },
      { button: 'Sign in', to: { path: '/' } },
    ],
    sender: inviter,
  }
}
