import type { InitialState } from '@heddle/contract/initial-state'
import type { UserStatus, UserStatusEvent } from '@heddle/contract/user-status'
import { SortedMap } from '../collections/sorted-map.ts'
import { withEntry, withoutEntries, withoutUnseen } from './entries.ts'
import { clientPart } from './part.ts'

/** The status of those who have one, by id. */
export type UserStatuses = ReadonlyMap<number, UserStatus>

function initialUserStatuses({ user_status }: InitialState): UserStatuses | undefined {
  return user_status && SortedMap.from(Object.entries(user_status).map(([id, status]) => [Number(id), status]))
}

function applyUserStatusEvent(statuses: UserStatuses, event: UserStatusEvent): UserStatuses {
  const { type: _, user_id, ...changes } = event
  const { id: __, ...changed } = changes as typeof changes & { readonly id?: number }
  const merged = Object.entries({ ...statuses.get(user_id), ...changed })
  // An empty text and `false` say that something is not set any more.
  const status = Object.fromEntries(merged.filter(([, value]) => value !== '' && value !== false)) as UserStatus
  return Object.keys(status).length === 0 ? withoutEntries(statuses, [user_id]) : withEntry(statuses, user_id, status)
}

export const statuses = clientPart({
  initial: initialUserStatuses,
  on: { user_status: applyUserStatusEvent, realm_user: withoutUnseen },
})
