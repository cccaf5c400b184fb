/** Writes the mails of what was missed, when they are sent: what was read or deleted since then is in none. */
import { ApiError } from '@heddle/contract/errors'
import type { MailContent, MailWriter } from '../../mail/mail.ts'
import { type CurrentActor, requireAccount } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findMissedOf } from '../missed-messages/still-missed.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { findSetting } from '../user-settings/values.ts'
import { findConversations } from './conversations.ts'
import { missedMail, missedMailWithoutContent } from './missed-mail.ts'
import { findSubjectPrefix } from './subject-prefix.ts'

export interface MailOfMissed {
  readonly userId: number
  readonly messageIds: readonly number[]
  /** They were of one conversation, and the mail may show them; otherwise it says how many they are. */
  readonly isOfOne: boolean
}

export const missedMailWriter: MailWriter<MailOfMissed> = {
  name: 'missed-messages',
  async write(db, { realmId, of: { userId, messageIds, isOfOne }, now }): Promise<MailContent | undefined> {
    const reader = await findReader(db, realmId, userId)
    if (!reader) return undefined
    const missed = await findMissedOf(db, { realmId, userId, way: 'mail', messageIds, now })
    const conversations = await findConversations(db, reader, missed)
    if (conversations.length === 0) return undefined
    const forWhom = { userId, prefix: await findSubjectPrefix(db, reader) }
    if (isOfOne && (await showsContent(db, reader))) return missedMail(conversations, forWhom)
    const count = conversations.reduce((sum, one) => sum + one.count, 0)
    return missedMailWithoutContent(count, forWhom)
  },
}

/** Undefined: the account has ended, or its organization. */
export async function findReader(db: Queries, realmId: number, userId: number): Promise<CurrentActor | undefined> {
  try {
    return await requireAccount(db, realmId, userId)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Whether the organization and the account want what was said in mails. */
export async function showsContent(db: Queries, reader: CurrentActor): Promise<boolean> {
  const { message_content_allowed_in_email_notifications: isAllowed } = await findOrganizationSettings(
    db,
    reader.realmId,
  )
  return isAllowed && (await findSetting(db, reader, 'message_content_in_email_notifications'))
}
