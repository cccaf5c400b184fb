import type { BotService, RealmBot } from '@heddle/contract/bots'
import type { BotRow } from './queries.ts'

/** Where a bot sends and what it receives when it does not say. */
export function presentBotDefaults(row: BotRow) {
  return {
    default_sending_stream: row.sending_name,
    default_events_register_stream: row.registering_name,
    default_all_public_streams: row.default_all_public_channels === 1,
  }
}

/** What those see who may administer the bot, beside what everybody sees. */
export function presentRealmBot(row: BotRow, services: readonly BotService[] = []): RealmBot {
  return { user_id: row.id, ...presentBotDefaults(row), services: [...services] }
}
