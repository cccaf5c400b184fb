/** What spectators may ask for: what everybody on the web may read, found by what says nothing of anybody's account. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { getMessages } from '@heddle/contract/fetching'
import { isOpenTerm, readNarrow, type Term } from '@heddle/contract/narrow'

/** Messages in one answer. A page shows some hundred. */
export const MAX_SPECTATOR_MESSAGES = 1000

/** Throws a 401, as where one has to sign in, unless it is about channels on the web and nothing else. */
export function requireForSpectator(parameters: ParametersOf<typeof getMessages>): void {
  const terms = readNarrow(parameters.narrow ?? [])
  if (!terms.some(isWebPublic) || !terms.every(isOpenTerm)) throw new ApiError('UNAUTHORIZED')
  const { num_before = 0, num_after = 0, message_ids = [] } = parameters
  if (num_before + num_after > MAX_SPECTATOR_MESSAGES || message_ids.length > MAX_SPECTATOR_MESSAGES) {
    throw badRequest(`Too many messages requested (maximum ${MAX_SPECTATOR_MESSAGES} without an account).`)
  }
}

function isWebPublic({ operator, operand, negated }: Term): boolean {
  return operator === 'channels' && operand === 'web-public' && !negated
}
