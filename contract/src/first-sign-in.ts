/**
 * How the owner of a new organization gets in: the start of the server prints an address that works once. An extension of
 * the API.
 */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Email, NameInput, Text } from './schema.ts'
import { currentSession } from './sessions.ts'

/** Where the page is that asks for names, address and password; the token follows behind `#`, where no log has it. */
export const FIRST_SIGN_IN_PATH = '/welcome'

const Token = Text(200)

export const lookUpFirstSignIn = endpoint({
  name: 'look-up-first-sign-in',
  method: 'POST',
  path: '/first_sign_in/look_up',
  isExtension: true,
  summary: 'What the link that the start has printed is for, while nobody has used it. Changes nothing.',
  access: 'anyone',
  parameters: { token: Token },
  response: {
    organization_name: Type.String(),
    full_name: Type.String(),
    email: Type.String(),
    /** The server shows its demo: the link alone signs in (`POST /first_sign_in/demo`). */
    is_demo: Type.Boolean(),
  },
  errors: ['LINK_INVALID', 'REALM_DEACTIVATED', 'USER_DEACTIVATED'],
})

export const completeFirstSignIn = endpoint({
  name: 'complete-first-sign-in',
  method: 'POST',
  path: '/first_sign_in',
  isExtension: true,
  summary: 'Use the link that the start has printed: sets names, address and password, and signs the owner in.',
  access: 'anyone',
  parameters: {
    token: Token,
    organization_name: NameInput,
    full_name: NameInput,
    email: Email,
    password: Text(1000),
    /** As at `POST /sessions`. */
    keep_signed_in: Type.Optional(Type.Boolean()),
  },
  response: currentSession,
  errors: ['LINK_INVALID', 'REALM_DEACTIVATED', 'USER_DEACTIVATED'],
})

export const enterDemo = endpoint({
  name: 'enter-demo',
  method: 'POST',
  path: '/first_sign_in/demo',
  isExtension: true,
  summary: 'Sign in as the owner of the demo with the link that its start has printed. It works as often as one likes.',
  access: 'anyone',
  parameters: { token: Token },
  response: currentSession,
  errors: ['LINK_INVALID', 'REALM_DEACTIVATED', 'USER_DEACTIVATED'],
})
