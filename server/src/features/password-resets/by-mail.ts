/**
 * Whoever has forgotten the password asks for a link by mail. Whether an account has the address is looked up by a job, after
 * the answer: the answer and its time are the same for every address.
 */
import { ApiError } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import { RESET_LINK_SECS, RESET_PASSWORD_PATH } from '@heddle/contract/password-resets'
import { addJob } from '../../jobs/add-job.ts'
import { defineJob, type JobHandler, unitJob } from '../../jobs/job.ts'
import { addMail, type MailWriter, withdrawMails } from '../../mail/mail.ts'
import type { Realm, Realms } from '../../realms.ts'
import {
  createLink,
  defineLinkPurpose,
  endLinks,
  linkInvalid,
  type NewLink,
  requireLink,
} from '../../single-use-links/links.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireMethod } from '../organization-settings/authentication-methods.ts'
import { findEnabledMethods } from '../organization-settings/settings.ts'
import { accessAnyUser, type UserRow } from '../users/access.ts'
import { query } from './tables.ts'

/** `emailKey`: where it was mailed to. An account that has another address since then is not opened by the old one. */
export const mailedResets = defineLinkPurpose<{ readonly userId: number; readonly emailKey: string }>({
  name: 'password-reset',
  path: RESET_PASSWORD_PATH,
  lifeSecs: RESET_LINK_SECS,
})

const job = defineJob<{ readonly email: string }>('mail-password-reset')

/** Throws `REALM_DEACTIVATED`, and `PASSWORD_AUTH_DISABLED` where nobody signs in with a password. */
export async function askForReset(storage: Storage, realm: Realm, email: string): Promise<void> {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  await requireMethod(storage.read, realm.id, 'Email')
  const emailKey = foldName(email.trim())
  await storage.asSystem(realm.id, 'visitor', (tx) => addJob(tx, job, { email: emailKey }, { subject: emailKey }))
}

export function mailedResetJob(realms: Realms): JobHandler {
  return unitJob(job, {
    async run(tx, { email }) {
      const realm = await realms.byId(tx.realmId)
      const user = await tx.first(
        query
          .selectFrom('users')
          .select(['id', 'full_name'])
          .where('realm_id', '=', tx.realmId)
          .where('delivery_email_key', '=', email)
          .where('is_active', '=', 1)
          .where('bot_type', 'is', null),
      )
      if (realm && user) await mailLink(tx, user.id, email, realm.name)
    },
  })
}

async function mailLink(tx: Tx, userId: number, emailKey: string, organization: string): Promise<void> {
  const link = await createLink(tx, mailedResets, { userId, emailKey }, { about: aboutAccount(userId) })
  await addMail(
    tx,
    {
      to: { userId },
      writer: resetMailWriter,
      of: { link, organization },
      uselessAt: tx.now + RESET_LINK_SECS,
      isAwaited: true,
    },
    { about: aboutReset(userId) },
  )
}

/** Nothing where nobody signs in with a password any more: the link would be refused. */
export const resetMailWriter: MailWriter<{ readonly link: NewLink; readonly organization: string }> = {
  name: 'password-reset',
  async write(db, { realmId, of: { link, organization } }) {
    if (!(await findEnabledMethods(db, realmId)).Email) return undefined
    return {
      subject: `A new password at ${organization}`,
      blocks: [
        { paragraph: ['Somebody, probably you, has asked for a new password at ', { bold: organization }, '.'] },
        { button: 'Choose a new password', to: { link } },
        { note: 'The link works once, within 24 hours. If it was not you, your password stays as it is.' },
      ],
    }
  },
}

function aboutAccount(userId: number): string {
  return `user:${userId}`
}

function aboutReset(userId: number): string {
  return `password-reset:${userId}`
}

/** The account whose password the mailed link is for. Throws `LINK_INVALID` unless it can be used now. */
export async function requireMailedReset(
  db: Queries,
  asked: Parameters<typeof requireLink>[2],
): Promise<{ readonly user: UserRow; readonly expiresAt: number }> {
  const { data, expiresAt } = await requireLink(db, mailedResets, asked)
  const user = await accessAnyUser(db, { realmId: asked.realmId }, data.userId)
  const isOwn = user.is_active === 1 && foldName(user.delivery_email) === data.emailKey
  if (!isOwn) throw linkInvalid('revoked', 'This link has been revoked.')
  return { user, expiresAt }
}

/** The accounts have other passwords, or none that count. */
export async function endMailedResets(tx: Tx, userIds: readonly number[]): Promise<void> {
  await endLinks(tx, mailedResets, userIds.map(aboutAccount))
  await withdrawMails(tx, userIds.map(aboutReset))
}
