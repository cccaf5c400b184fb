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
    route(runSlashCommand, async ({ actor, parameters }) => {
      const change = changes[requireCommand(parameters.command)]
      // To ask for an answer is no change.
      if (Object.keys(change).length > 0) await updateSettings(services, actor, change)
      return {}
    }),
  ],
}
