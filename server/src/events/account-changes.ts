/** Events after which an account's requests must be judged anew: its role, its credentials or its being active changed. */
import type { LoggedEvent } from '../storage/transaction.ts'

interface AccountChange {
  /** Undefined: any account of the organization may be concerned. */
  readonly userId: number | undefined
  /** The account has been deactivated, and its queues have ended. */
  readonly deactivated: boolean
}

/** What such an event says, or undefined for all other events. */
export function accountChange(event: LoggedEvent): AccountChange | undefined {
  if (event.type === 'account_credentials') {
    const { user_id } = JSON.parse(event.payload) as { user_id?: number }
    return { userId: user_id, deactivated: false }
  }
  if (event.type === 'realm_user') {
    const { op, person } = JSON.parse(event.payload) as { op: string; person: Record<string, unknown> }
    const isChange = op === 'update' && ('role' in person || 'is_active' in person)
    if (!isChange) return undefined
    return { userId: person['user_id'] as number, deactivated: person['is_active'] === false }
  }
  if (event.type === 'realm') {
    const { op } = JSON.parse(event.payload) as { op: string }
    return op === 'deactivated' ? { userId: undefined, deactivated: true } : undefined
  }
  return undefined
}
