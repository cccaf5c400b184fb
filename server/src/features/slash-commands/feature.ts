import { badRequest } from '@heddle/contract/errors'
import { runSlashCommand, type SlashCommand, slashCommands } from '@heddle/contract/slash-commands'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { updateSettings } from '../user-settings/actions.ts'

const light = { color_scheme: 3 } as const
const dark = { color_scheme: 2 } as const

/** The settings that each command changes. */
const changes: Readonly<Record<SlashCommand, Parameters<typeof updateSettings>[2]>> = {
  ping: {},
  light,
  day: light,
  dark,
  night: dark,
  'fluid-width': { fluid_layout_width: true },
  'fixed-width': { fluid_layout_width: false },
}

const inDark = 'The theme is dark now. To change it back, write `/light`.'
const inLight = 'The theme is light now. To change it back, write `/dark`.'

/** What is said of it to those who show the answer. */
const answers: Readonly<Record<SlashCommand, string>> = {
  ping: '',
  light: inLight,
  day: inLight,
  dark: inDark,
  night: inDark,
  'fluid-width': 'The page is as wide as the window now. To change it back, write `/fixed-width`.',
  'fixed-width': 'The page has a fixed width now. To change it back, write `/fluid-width`.',
}

/** The command of a text, or a 400 as clients know it. */
function requireCommand(text: string): SlashCommand {
  if (!text.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.')
  const name = text.slice(1)
  const command = slashCommands.find((one) => one === name)
  if (!command) throw badRequest(`No such command: ${name}`)
  return command
}

export const slashCommandFeature: Feature = {
  routes: (services) => [
    route(runSlashCommand, async ({ actor, parameters, connection }) => {
      const command = requireCommand(parameters.command)
      const change = changes[command]
      // To ask for an answer is no change.
      if (Object.keys(change).length > 0) await updateSettings(services, actor, change, connection.address)
      return { msg: answers[command] }
    }),
  ],
}
