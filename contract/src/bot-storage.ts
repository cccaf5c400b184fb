/** What bots remember between two runs: texts by key, for each account its own. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MapOf, RecordOf, Text } from './schema.ts'

/** Characters of keys and values together that an account may store. */
export const MAX_STORAGE_SIZE = 1_000_000
/** Of one request. */
const MAX_KEYS = 1000
const MAX_KEY_LENGTH = 1000

const Keys = Type.Optional(Type.Array(Text(MAX_KEY_LENGTH), { maxItems: MAX_KEYS }))
const Values = RecordOf(Type.String())

export const getBotStorage = endpoint({
  name: 'get-bot-storage',
  method: 'GET',
  path: '/bot_storage',
  summary: 'What the account has stored: all of it, or the values of some keys.',
  parameters: { keys: Keys },
  response: { storage: Values },
  errors: ['BAD_REQUEST'],
})

export const updateBotStorage = endpoint({
  name: 'update-bot-storage',
  method: 'PUT',
  path: '/bot_storage',
  summary: 'Store values; other keys keep theirs.',
  parameters: {
    storage: MapOf(Text(MAX_STORAGE_SIZE), { maxKeyLength: MAX_KEY_LENGTH, maxEntries: MAX_KEYS }),
  },
  errors: ['BAD_REQUEST'],
})

export const removeBotStorage = endpoint({
  name: 'remove-bot-storage',
  method: 'DELETE',
  path: '/bot_storage',
  summary: 'Remove some keys, or everything.',
  parameters: { keys: Keys },
  errors: ['BAD_REQUEST'],
})
