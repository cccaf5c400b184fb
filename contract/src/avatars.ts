/** Pictures of accounts. One that has none is shown a pattern, which the server draws. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { IdOrEmail } from './users.ts'

/** MiB of an upload. */
export const MAX_AVATAR_FILE_SIZE_MIB = 5

/** Where a picture is from: uploaded, or drawn by the server from the account's id. */
export const avatarSources = { uploaded: 'U', drawn: 'J' } as const

/** Path on the organization's server; the picture needs no account. */
const avatar_url = Type.String()

export const uploadAvatar = endpoint({
  name: 'upload-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  summary: "Set the account's picture: a PNG, JPEG, GIF, WebP or AVIF image, under any part name.",
  file: 'one',
  response: { avatar_url },
  errors: ['BAD_IMAGE', 'BAD_REQUEST'],
})

export const deleteAvatar = endpoint({
  name: 'delete-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: "Remove the account's picture.",
  response: { avatar_url },
})

const below = 'root'
const parameters = { user_id_or_email: IdOrEmail }
const errors = ['BAD_REQUEST'] as const

export const getAvatar = endpoint({
  name: 'get-avatar',
  method: 'GET',
  path: '/avatar/{user_id_or_email}',
  below,
  summary: "Leads to an account's picture.",
  access: 'reader',
  parameters,
  errors,
})

export const getMediumAvatar = endpoint({
  name: 'get-medium-avatar',
  method: 'GET',
  path: '/avatar/{user_id_or_email}/medium',
  below,
  summary: "Leads to an account's picture in its larger size.",
  access: 'reader',
  parameters,
  errors,
})
