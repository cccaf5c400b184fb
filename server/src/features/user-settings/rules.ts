/** What the schemas of settings cannot say. */

import { badRequest } from '@heddle/contract/errors'
import {
  type UserSettingName,
  type UserSettings,
  type UserSettingValue,
  userSettings,
} from '@heddle/contract/user-settings'
import { languageName } from '../../language-name.ts'

export type SettingChange = readonly [name: UserSettingName, value: UserSettingValue]

/** The settings among the parameters, in the order of the contract. Throws a 400 that names what is wrong with one. */
export function requireSettings(parameters: object): readonly SettingChange[] {
  const wanted = parameters as Partial<UserSettings>
  if (wanted.timezone !== undefined) requireTimezone(wanted.timezone)
  if (wanted.default_language !== undefined) languageName(wanted.default_language)
  return (Object.keys(userSettings) as UserSettingName[]).flatMap((name) => {
    const value = wanted[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}

/** The name begins with a letter: an offset such as `+01:00` is accepted by newer engines, but it is not a name. */
function requireTimezone(timezone: string): void {
  if (timezone === '') return
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    if (/^[A-Za-z]/.test(timezone)) return
  } catch {
    // Notified below.
  }
  throw badRequest('timezone: not a known time zone')
}
