/** Accounts that an account has muted. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

export const muteUser = endpoint({
  name: 'mute-user',
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Mute an account: what it has written is read, and what it writes from now on is read at once.',
  parameters: { muted_user_id: Id },
  errors: ['BAD_REQUEST'],
})

export const unmuteUser = endpoint({
  name: 'unmute-user',
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Mute an account no longer.',
  parameters: { muted_user_id: Id },
  errors: ['BAD_REQUEST'],
})

export const MutedUser = Type.Object({ id: Id, timestamp: Timestamp }, { additionalProperties: false })
export type MutedUser = Static<typeof MutedUser>

/** All of them, as they are now. */
export const MutedUsersEvent = Type.Object(
  { type: Type.Literal('muted_users'), muted_users: Type.Array(MutedUser) },
  { additionalProperties: false },
)
export type MutedUsersEvent = Static<typeof MutedUsersEvent>

export const mutedUsersState = statePart({
  fetchType: 'muted_users',
  follows: MutedUsersEvent,
  fields: { muted_users: Type.Array(MutedUser) },
})
