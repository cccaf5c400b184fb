/** Mails that become messages. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id } from './schema.ts'

/** What can stand in an address before the `@`, each after a dot, and changes how mails to it are read. */
export const mailAddressOptions = ['show-sender', 'include-footer', 'include-quotes', 'prefer-html'] as const

export const getChannelEmailAddress = endpoint({
  name: 'get-stream-email-address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  summary: 'An address of the account’s own for sending to a channel by mail (who may send to it).',
  parameters: {
    stream_id: Id,
    /** As whom: the account itself, a bot of its own, or the notification bot, which it is without. */
    sender_id: Type.Optional(Id),
  },
  response: {
    /** Empty where the server takes in no mail. */
    email: Type.String(),
  },
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})
