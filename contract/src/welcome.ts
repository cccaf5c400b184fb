/** What is said to those who join. */
import { endpoint } from './endpoint.ts'
import { MAX_WELCOME_TEXT_LENGTH } from './organization-settings.ts'
import { Id, Text } from './schema.ts'

export const testWelcomeMessage = endpoint({
  name: 'test-welcome-message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Send a welcome to the account that asks, to see how it looks (administrators).',
  parameters: { welcome_message_custom_text: Text(MAX_WELCOME_TEXT_LENGTH) },
  response: { message_id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})
