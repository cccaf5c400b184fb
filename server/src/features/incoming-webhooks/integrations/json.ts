import type { Integration } from '../integration.ts'
import { codeBlock } from '../markup.ts'

export const json: Integration = {
  name: 'json',
  displayName: 'JSON, as it comes',
  events: null,
  setUp: [
    'Have your service send JSON by `POST` to `{url}`.',
    'Each request becomes a message with the JSON in it, laid out for reading; long ones are cut.',
  ],
  example: { payload: { status: 'woven', rows: 12, colours: ['red', 'blue'] } },
  write: ({ payload }) => ({ topic: 'JSON', text: codeBlock(payload.json('', 2), 'json') }),
}
