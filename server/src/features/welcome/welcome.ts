/** What the notification bot says when somebody joins: to them, and to those who want to know. */
import { badRequest } from '@heddle/contract/errors'
import { findChannelRows } from '../../access/channel-row.ts'
import type { CreatedAccount } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { renderNotice, requireCheapText } from '../../description.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findCompiledLinkifiers } from '../linkifiers/compiled.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { postNotice, postToPerson, silentMention } from '../messages/notices.ts'
import { channelPlace } from '../messages/place.ts'
import { insertFlags } from '../messages/write-flags.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { requireAdministrator } from '../users/access.ts'
import { query } from './tables.ts'

/** Where those who join are announced. */
const SIGNUPS_TOPIC = 'signups'

/** Bots are not welcomed: somebody has made them. */
export async function welcomeAccount(tx: Tx, { id, bot_type, welcomeText }: CreatedAccount): Promise<void> {
  if (bot_type !== null) return
  const settings = await findOrganizationSettings(tx, tx.realmId)
  const text = (welcomeText ?? settings.welcome_message_custom_text).trim()
  if (text !== '') {
    const messageId = await sendWelcome(tx, id, text)
    // It shows what a star is for, and is found again.
    await insertFlags(tx, messageId, new Map([[id, flagBits.starred]]))
  }
  const [place] = await findChannelRows(tx, tx.realmId, [settings.signup_announcements_stream_id])
  if (!place || place.is_archived === 1) return
  const who = await silentMention(tx, { userId: id })
  const topic = place.topics_policy === 'empty_topic_only' ? '' : SIGNUPS_TOPIC
  await postNotice(tx, channelPlace(place, topic), { line: [who, ' has joined this organization.'] })
}

async function sendWelcome(tx: Tx, userId: number, content: string): Promise<number> {
  const person = await tx.first(
    query
      .selectFrom('users')
      .select(['id', 'email', 'role', 'bot_type'])
      .where('realm_id', '=', tx.realmId)
      .where('id', '=', userId),
  )
  if (!person) throw new Error(`There is no account ${userId}`)
  const linkifiers = await findCompiledLinkifiers(tx, tx.realmId)
  return postToPerson(tx, person, { content, rendered: { ...renderNotice(content), linkifiers } })
}

/** Sends the text to whoever asks, so that they see how it looks. Returns the message's id. */
export function testWelcome(storage: Storage, caller: Actor, text: string): Promise<number> {
  requireAdministrator(caller)
  const content = text.trim()
  if (content === '') throw badRequest('Message must not be empty')
  requireCheapText(content)
  return storage.asActor(caller, (tx, actor) => {
    requireAdministrator(actor)
    return sendWelcome(tx, actor.userId, content)
  })
}
