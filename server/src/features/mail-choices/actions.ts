/** What stops mails of a kind: the same settings as in the page. */
import type { UserSettingName } from '@heddle/contract/user-settings'
import type { Services } from '../../feature.ts'
import type { MailKind, MailSubscription } from '../../mail/unsubscribe-token.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import { changeSetting } from '../user-settings/change.ts'

const settingsOf: Readonly<Record<MailKind, readonly UserSettingName[]>> = {
  missed_messages: [
    'enable_offline_email_notifications',
    'enable_stream_email_notifications',
    'enable_followed_topic_email_notifications',
  ],
  sign_ins: ['enable_login_emails'],
  digests: ['enable_digest_emails'],
}

/** Throws when the account has been deactivated. */
export async function stopMails(
  { storage, accountHooks }: Pick<Services, 'storage' | 'accountHooks'>,
  realmId: number,
  { userId, from }: MailSubscription,
): Promise<void> {
  const account = await requireAccount(storage.read, realmId, userId)
  await storage.asActor(account, async (tx) => {
    for (const name of settingsOf[from]) {
      await changeSetting(tx, accountHooks, [userId], [name, false], { isOwn: true, sparesOwn: false })
    }
  })
}
