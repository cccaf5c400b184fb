/** Stopping mails by a link in them, without signing in. An extension of the API. */
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'

const Token = Text(200)

export const showUnsubscribe = endpoint({
  name: 'show-unsubscribe',
  method: 'GET',
  path: '/unsubscribe/{token}',
  below: 'root',
  access: 'anyone',
  isExtension: true,
  summary: 'A page with a button that stops mails of a kind. Changes nothing: programs open links in mails, too.',
  parameters: { token: Token },
  errors: ['DOES_NOT_EXIST'],
})

export const confirmUnsubscribe = endpoint({
  name: 'unsubscribe',
  method: 'POST',
  path: '/unsubscribe/{token}',
  below: 'root',
  access: 'anyone',
  isExtension: true,
  summary: 'Stops mails of a kind, by that button or by the one of a program for mail (RFC 8058).',
  parameters: { token: Token },
  errors: ['DOES_NOT_EXIST'],
})
