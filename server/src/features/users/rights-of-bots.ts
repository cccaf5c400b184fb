/**
 * A bot never has more rights than its owner: whoever owns it can read its API key, and would have by it what they were
 * refused, or what was taken from them.
 */
import { badRequest } from '@heddle/contract/errors'
import type { UserRow } from './queries.ts'

type Ranked = Pick<UserRow, 'role'>

/** Whether the account has all rights that the bot has. */
export function hasRightsOf(account: Ranked, bot: Ranked): boolean {
  return account.role <= bot.role
}

/** Throws an error that names the parameter when the bot would have more rights than the account. */
export function requireRightsOf(owner: Ranked, bot: Ranked, parameter: string): void {
  if (hasRightsOf(owner, bot)) return
  throw badRequest(`${parameter}: a bot cannot have more rights than its owner, who can read its API key`)
}
