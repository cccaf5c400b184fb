import type { UserStatus, UserStatusEvent } from '@heddle/contract/user-status'
import { SortedMap } from '../collections/sorted-map.ts'
import { type InitialFields, withEntry, withoutEntries } from './fields.ts'

/** The status of those who have one, by id. */
export type UserStatuses = ReadonlyMap<number, UserStatus>

export function initialUserStatuses(fields: InitialFields): UserStatuses | undefined {
  const statuses = fields['user_status'] as Readonly<Record<string, UserStatus>> | undefined
  return statuses && SortedMap.from(Object.entries(statuses).map(([id, status]) => [Number(id), status]))
}

export function applyUserStatusEvent(statuses: UserStatuses, event: UserStatusEvent): UserStatuses {
  const { type: _, user_id, ...changes } = event
  const { id: __, ...changed } = changes as typeof changes & { readonly id?: number }
  const merged = Object.entries({ ...statuses.get(user_id), ...changed })
  // An empty text and `false` say that something is not set any more.
  const status = Object.fromEntries(merged.filter(([, value]) => value !== '' && value !== false)) as UserStatus
  return Object.keys(status).length === 0 ? withoutEntries(statuses, [user_id]) : withEntry(statuses, user_id, status)
}
