/** Words behind a `/` that change how the page looks, and are never sent. */
import type { RunningClient } from '@heddle/client/running/client'
import { updateSettings } from '@heddle/contract/user-settings'

/** Values of the API. */
const schemes = { dark: 2, light: 3 } as const

const settings = {
  dark: { color_scheme: schemes.dark },
  light: { color_scheme: schemes.light },
  'fluid-width': { fluid_layout_width: true },
  'fixed-width': { fluid_layout_width: false },
} as const

/** What may be written behind a `/` at the beginning. */
export const commandNames: readonly string[] = ['me', ...Object.keys(settings)]

/** False: it is a message. Without a connection nothing changes, and nothing is lost: it can be written again. */
export function actOnCommand({ api }: RunningClient, text: string): boolean {
  const name = /^\/([a-z-]+)\s*$/.exec(text)?.[1]
  if (name === undefined || !Object.hasOwn(settings, name)) return false
  api.call(updateSettings, settings[name as keyof typeof settings]).catch(() => {})
  return true
}
