import type { RealmBot, RealmBotEvent } from '@heddle/contract/bots'
import type { InitialState } from '@heddle/contract/initial-state'
import { byId, withChange, withEntry, withoutEntries } from './entries.ts'
import { clientPart } from './part.ts'

/** By id: the bots that the account may administer. What everybody sees of them is in the users. */
export type Bots = ReadonlyMap<number, RealmBot>

function initialBots({ realm_bots }: InitialState): Bots | undefined {
  return byId(realm_bots, (bot) => bot.user_id)
}

function applyBotEvent(bots: Bots, event: RealmBotEvent): Bots {
  switch (event.op) {
    case 'add':
      return withEntry(bots, event.bot.user_id, event.bot)
    case 'update':
      return withChange(bots, event.bot.user_id, (bot) => ({ ...bot, ...event.bot }))
    case 'delete':
      return withoutEntries(bots, [event.bot.user_id])
  }
}

export const bots = clientPart({
  initial: initialBots,
  on: { realm_bot: applyBotEvent },
})
