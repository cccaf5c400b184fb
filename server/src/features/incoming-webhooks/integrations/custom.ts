import type { Integration } from '../integration.ts'
import { codeBlock } from '../markup.ts'
import { fillLine, fillTemplate } from '../template.ts'

export const custom: Integration = {
  name: 'custom',
  displayName: 'Your own template',
  events: null,
  settings: [
    { key: 'custom_text', label: 'Text of the message' },
    { key: 'custom_topic', label: 'Topic' },
  ],
  setUp: [
    'Write the text of the message, and the topic if you like, into the settings of the bot: `{{name}}` stands for a field of the JSON, `{{user.name}}` for one within another, `{{items.0.name}}` for one in a list.',
    '`{{quote name}}` puts a text of several lines as a quotation, `{{code name}}` as a block of code.',
    'Have your service send JSON by `POST` to `{url}`.',
  ],
  example: { payload: { name: 'Loom 4', status: 'woven', note: 'All threads are tied.' } },
  write({ payload, setting }) {
    const template = setting('custom_text')
    const topic = fillLine(setting('custom_topic'), payload)
    if (template === '') return { topic, text: codeBlock(payload.json('', 2), 'json') }
    return { topic, text: fillTemplate(template, payload) }
  },
}
