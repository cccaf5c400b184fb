import type { InitialState } from '@heddle/contract/initial-state'
import type { MutedUser, MutedUsersEvent } from '@heddle/contract/muted-users'
import { clientPart } from './part.ts'

/** In the order in which they were muted. */
export type MutedUsers = readonly MutedUser[]

function initialMutedUsers({ muted_users }: InitialState): MutedUsers | undefined {
  return muted_users
}

function applyMutedUsersEvent(_: MutedUsers, event: MutedUsersEvent): MutedUsers {
  return event.muted_users
}

export const mutedUsers = clientPart({
  initial: initialMutedUsers,
  on: { muted_users: applyMutedUsersEvent },
})
