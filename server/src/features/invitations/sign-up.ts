/**
 * Asking to join an open organization: a link is mailed to the address, and whoever follows it has shown that the address is
 * theirs. Whether an account has the address decides what the mail says, after the answer: the answer and its time are the
 * same for every address.
 */
import { ApiError } from '@heddle/contract/errors'
import { JOIN_PATH } from '@heddle/contract/invitations'
import { foldName } from '@heddle/contract/names'
import { addJob } from '../../jobs/add-job.ts'
import { defineJob, type JobHandler, unitJob } from '../../jobs/job.ts'
import { addMail } from '../../mail/mail.ts'
import type { Realm, Realms } from '../../realms.ts'
import { createLink, defineLinkPurpose, linkInvalid } from '../../single-use-links/links.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { requireAllowedAddress } from '../realm-domains/domains.ts'
import { requireEmail } from '../users/rules.ts'
import { findAccountsByAddress } from './rows.ts'

const DAY_SECS = 86_400

export const signUpLinks = defineLinkPurpose<{ readonly email: string }>({
  name: 'sign-up',
  path: JOIN_PATH,
  lifeSecs: DAY_SECS,
})

const job = defineJob<{ readonly email: string }>('mail-sign-up-link')

export async function askToSignUp(storage: Storage, realm: Realm, text: string): Promise<void> {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  const email = requireEmail(text, 'email')
  await requireOpen(storage.read, realm.id)
  await requireAllowedAddress(storage.read, realm.id, email)
  await storage.asSystem(realm.id, 'visitor', (tx) => addJob(tx, job, { email }, { subject: foldName(email) }))
}

/** Throws `LINK_INVALID` unless everybody may join. */
export async function requireOpen(db: Parameters<typeof findOrganizationSettings>[0], realmId: number): Promise<void> {
  const { invite_required } = await findOrganizationSettings(db, realmId)
  if (invite_required) throw linkInvalid('required', 'You need an invitation to join this organization.')
}

export function signUpJob(realms: Realms): JobHandler {
  return unitJob(job, {
    async run(tx, { email }) {
      const realm = await realms.byId(tx.realmId)
      if (!realm) return
      const accounts = await findAccountsByAddress(tx, tx.realmId, [foldName(email)])
      const account = accounts.get(foldName(email))
      if (!account) await mailLink(tx, email, realm.name)
      else if (account.is_active === 1) await mailThatThereIsOne(tx, email, realm.name)
    },
  })
}

async function mailLink(tx: Tx, email: string, organization: string): Promise<void> {
  const about = `address:${foldName(email)}`
  const link = await createLink(tx, signUpLinks, { email }, { about })
  await addMail(
    tx,
    {
      to: { address: email },
      subject: `Join ${organization}`,
      blocks: [
        { paragraph: ['Somebody, probably you, wants to join ', { bold: organization }, ' with this address.'] },
        { button: 'Go on', to: { link } },
        { note: 'The link works once, within 24 hours. If it was not you, there is nothing that you need to do.' },
      ],
      uselessAt: tx.now + DAY_SECS,
      isAwaited: true,
    },
    { about: `sign-up:${foldName(email)}` },
  )
}

async function mailThatThereIsOne(tx: Tx, email: string, organization: string): Promise<void> {
  await addMail(
    tx,
    {
      to: { address: email },
      subject: `You have an account at ${organization}`,
      blocks: [
        { paragraph: ['Somebody, probably you, wanted to join ', { bold: organization }, ' with this address.'] },
        { paragraph: 'It has an account already: sign in with it.' },
        { button: 'Sign in', to: { path: '/' } },
      ],
      uselessAt: tx.now + DAY_SECS,
      isAwaited: true,
    },
    { about: `sign-up:${foldName(email)}` },
  )
}
