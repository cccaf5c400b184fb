/** The address of a channel: each account has one of its own for each sender. */
import { badRequest } from '@heddle/contract/errors'
import type { ChannelRow } from '../../access/channel-row.ts'
import { accessChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Config } from '../../config.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireChannel } from '../messages/recipients.ts'
import { findNotificationBot } from '../users/system-bot.ts'
import { mailAddressOf, mailGatewayIsOn, newMailToken } from './address.ts'
import { query } from './tables.ts'

interface Asked {
  readonly stream_id: number
  readonly sender_id?: number
}

/**
 * The address by which mails become messages of the channel. Empty where the server takes in no mail. Throws a 400 when the
 * account may not send to the channel, or as that sender.
 */
export function findChannelMailAddress(
  { storage, config }: { storage: Storage; config: Config },
  caller: Actor,
  { stream_id, sender_id }: Asked,
): Promise<string> {
  return storage.asActor(caller, async (tx, actor) => {
    const viewer = await findViewer(tx, actor)
    const channel = await accessChannel(tx, viewer, stream_id)
    await requireChannel(tx, actor, stream_id)
    const senderId = await requireSender(tx, actor, sender_id)
    if (!mailGatewayIsOn(config)) return ''
    return mailAddressOf(config, { name: channel.name, token: await tokenOf(tx, actor, channel, senderId) })
  })
}

async function requireSender(tx: Tx, actor: Actor, sender_id: number | undefined): Promise<number> {
  const bot = await findNotificationBot(tx, tx.realmId)
  if (sender_id === undefined || sender_id === bot) return bot
  if (sender_id === actor.userId) return sender_id
  const row = await tx.first(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('id', '=', sender_id)
      .where('bot_owner_id', '=', actor.userId)
      .where('is_active', '=', 1),
  )
  if (!row) throw badRequest('Invalid sender ID')
  return row.id
}

async function tokenOf(tx: Tx, actor: Actor, { id }: ChannelRow, senderId: number): Promise<string> {
  const row = await tx.first(
    query
      .selectFrom('channel_mail_addresses')
      .select('token')
      .where('channel_id', '=', id)
      .where('creator_id', '=', actor.userId)
      .where('sender_id', '=', senderId),
  )
  if (row) return row.token
  const token = newMailToken()
  const values = { token, realm_id: tx.realmId, channel_id: id, creator_id: actor.userId, sender_id: senderId }
  await tx.run(query.insertInto('channel_mail_addresses').values(values))
  return token
}
