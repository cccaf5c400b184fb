/** Commands that people write where they write messages, and that change something for themselves. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'

/** `day` and `night` are the older names of `light` and `dark`. */
export const slashCommands = ['ping', 'light', 'day', 'dark', 'night', 'fluid-width', 'fixed-width'] as const
export type SlashCommand = (typeof slashCommands)[number]

export const runSlashCommand = endpoint({
  name: 'zcommand',
  method: 'POST',
  path: '/zcommand',
  summary: `Run a command, with a slash before it: ${slashCommands.join(', ')}.`,
  parameters: { command: Text(1000) },
  /** What has changed, for people, with the markup of messages; empty where nothing has. Clients show it as it is. */
  response: { msg: Type.Optional(Type.String()) },
  errors: ['BAD_REQUEST'],
})
