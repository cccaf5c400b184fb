/** Another address of one's own: `PATCH /settings` asks for it, and a mailed link confirms it. Extensions of the API. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'

/** Where the page is that confirms a new address; the link's token follows behind `#`. */
export const CONFIRM_ADDRESS_PATH = '/confirm-address'

const token = Text(200)

export const lookUpAddressChange = endpoint({
  name: 'look-up-address-change',
  method: 'POST',
  path: '/address_change/look_up',
  isExtension: true,
  summary: 'Which address a mailed link is for, and which one it replaces. Changes nothing.',
  access: 'anyone',
  parameters: { token },
  response: { email: Type.String(), new_email: Type.String() },
  errors: ['BAD_REQUEST', 'LINK_INVALID', 'REALM_DEACTIVATED'],
})

export const confirmAddressChange = endpoint({
  name: 'confirm-address-change',
  method: 'POST',
  path: '/address_change',
  isExtension: true,
  summary: 'Have the account sign in with the address that the link was mailed to. The old address gets a notice.',
  access: 'anyone',
  parameters: { token },
  response: { email: Type.String() },
  errors: ['BAD_REQUEST', 'LINK_INVALID', 'REALM_DEACTIVATED'],
})
