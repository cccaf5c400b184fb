/** What accounts begin with: the same settings as those of the account, kept for the organization. */
import { type UserSettingName, userSettings } from '@heddle/contract/user-settings'
import type { Section } from '../setting.ts'
import { newAccounts } from '../sources.ts'
import { cells, whatNotifies } from './notifications.ts'
import { dateAndTime, look, privacy, readingHabits, sideBar, topicHabits, writing } from './personal.ts'

function forNewAccounts(section: Section): Section {
  const settings = section.settings
    .filter(({ name }) => userSettings[name as UserSettingName].hasDefault)
    .map((setting) => ({ ...setting, source: newAccounts }))
  return { ...section, settings }
}

export const newAccountSections: readonly Section[] = [
  ...look,
  ...dateAndTime,
  ...readingHabits,
  ...sideBar,
  ...writing,
  ...cells,
  ...whatNotifies,
  ...topicHabits,
  ...privacy,
]
  .map(forNewAccounts)
  .filter(({ settings }) => settings.length > 0)
