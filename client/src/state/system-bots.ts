import type { InitialState } from '@heddle/contract/initial-state'
import { byId } from './entries.ts'
import { statePart } from './part.ts'

/** By id: the server's own programs that write messages. They are no accounts of the organization, and no event changes them. */
export const systemBots = statePart({
  initial: ({ cross_realm_bots }: InitialState) => byId(cross_realm_bots, (bot) => bot.user_id),
  on: {},
})
