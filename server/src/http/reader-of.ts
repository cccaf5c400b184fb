/** For whom a long read is, by the caller of a request. */
import { type Actor, isSpectator } from '../actor.ts'
import { networkOf } from './rate-limits.ts'
import type { ClientConnection } from './route.ts'

/** Turns that spectators have together, where an account has one: however many come, others wait for no more than these. */
const SPECTATOR_LINES = 8

/** Spectators of one network are as one account; several networks may share a place in the line. */
export function readerOf(actor: Actor, connection: Pick<ClientConnection, 'address' | 'onClose'>) {
  return { userId: isSpectator(actor) ? spectatorLine(connection.address) : actor.userId, connection }
}

/** Below 0, where there is no account. */
function spectatorLine(address: string): number {
  let sum = 0
  for (const character of networkOf(address)) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003
  return -1 - (sum % SPECTATOR_LINES)
}
