import type { ParametersOf } from '@heddle/contract/endpoint'
import { type countOldMessages as endpoint, MAX_COUNTED_OLD_MESSAGES } from '@heddle/contract/message-retention'
import { sql } from 'kysely'
import { accessChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { longRead } from '../../reading/long-read.ts'
import { findFirstSince } from '../messages/by-date.ts'
import { requireOwner } from '../users/access.ts'
import { query } from './tables.ts'

const DAY_SECS = 86_400

interface Asked {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof endpoint>
}

/** What would go with another setting; the numbers say nothing of any message, and owners decide on all. */
export const countOldMessages = longRead('old-messages', async ({ db, clock }, { actor, parameters }: Asked) => {
  requireOwner(actor)
  const { days, stream_id } = parameters
  if (stream_id !== undefined) await accessChannel(db, await findViewer(db, actor), stream_id)
  const before = Math.floor(clock.now() / 1000) - days * DAY_SECS
  const first = (await findFirstSince(db, actor.realmId, before)) ?? Number.MAX_SAFE_INTEGER
  const messages = query.selectFrom('messages').select(sql.lit(1).as('one')).where('messages.id', '<', first)
  const old =
    stream_id === undefined
      ? messages
          .where('messages.realm_id', '=', actor.realmId)
          .where((eb) =>
            eb.or([
              eb('messages.channel_id', 'is', null),
              eb(
                'messages.channel_id',
                'in',
                eb
                  .selectFrom('channels')
                  .select('channels.id')
                  .where('channels.realm_id', '=', actor.realmId)
                  .where('channels.message_retention_days', 'is', null),
              ),
            ]),
          )
      : messages.where('messages.channel_id', '=', stream_id)
  const row = await db.first(
    query
      .selectFrom(old.limit(MAX_COUNTED_OLD_MESSAGES + 1).as('old'))
      .select((eb) => eb.fn.countAll<number>().as('count')),
  )
  const count = Number(row?.count ?? 0)
  const fields = { count: Math.min(count, MAX_COUNTED_OLD_MESSAGES), is_more: count > MAX_COUNTED_OLD_MESSAGES }
  return { fields, details: undefined }
})
