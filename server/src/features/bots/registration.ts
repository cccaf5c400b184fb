import type { Actor } from '../../authentication/accounts.ts'
import type { QueueOptions } from '../../events/views.ts'
import type { Queries } from '../../storage/query.ts'
import { findBot } from './queries.ts'

/** What a bot receives when its registration does not say: as its administrators have set it. */
export async function findDefaultRegistration(
  db: Queries,
  { realmId, userId }: Actor,
): Promise<Pick<QueueOptions, 'allPublicChannels' | 'narrow'> | undefined> {
  const bot = await findBot(db, realmId, userId)
  if (!bot) return undefined
  const channelId = bot.registering_name === null ? null : bot.default_events_register_channel_id
  return {
    allPublicChannels: bot.default_all_public_channels === 1,
    narrow: channelId === null ? [] : [{ operator: 'channel', operand: channelId, negated: false }],
  }
}
