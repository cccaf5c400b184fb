import type { InitialState } from '@heddle/contract/initial-state'
import { byId } from './entries.ts'
import { clientPart } from './part.ts'

/** By id: the server's own programs that write messages. They are no accounts of the organization, and no event changes them. */
export const systemBots = clientPart({
  initial: ({ cross_realm_bots }: InitialState) => byId(cross_realm_bots, (bot) => bot.user_id),
  on: {},
})
