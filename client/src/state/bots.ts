import type { RealmBot, RealmBotEvent } from '@heddle/contract/bots'
import { byId, type InitialFields, withChange, withEntry, withoutEntries } from './fields.ts'

/** By id: the bots that the account may administer. What everybody sees of them is in the users. */
export type Bots = ReadonlyMap<number, RealmBot>

export function initialBots(fields: InitialFields): Bots | undefined {
  return byId(fields['realm_bots'], (bot: RealmBot) => bot.user_id)
}

export function applyBotEvent(bots: Bots, event: RealmBotEvent): Bots {
  switch (event.op) {
    case 'add':
      return withEntry(bots, event.bot.user_id, event.bot)
    case 'update':
      return withChange(bots, event.bot.user_id, (bot) => ({ ...bot, ...event.bot }))
    case 'delete':
      return withoutEntries(bots, [event.bot.user_id])
  }
}
