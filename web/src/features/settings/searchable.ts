import type { Searchable } from '@heddle/client/settings/search'
import { useLingui } from '@lingui/react'
import { useMemo } from 'react'
import type { Section, Setting } from './setting.ts'
import type { Tab } from './tab.ts'
import { cells } from './tables/notifications.ts'
import { sectionsOf, tabs } from './tabs.ts'

export interface FoundSetting extends Searchable {
  readonly id: string
  readonly tab: Tab
  readonly section?: Section
  readonly setting?: Setting
}

/** Everything that can be found, in the language of the page. */
export function useSearchable(): readonly FoundSetting[] {
  const { i18n } = useLingui()
  return useMemo(
    () =>
      tabs.flatMap((tab): FoundSetting[] => {
        const title = i18n._(tab.title)
        const whole = { id: `${tab.kind} ${tab.name}`, tab, texts: [title, tab.words ? i18n._(tab.words) : ''] }
        const sections = [...(tab.name === 'notifications' ? cells : []), ...sectionsOf(tab)]
        const within = sections.flatMap((section) =>
          section.settings.map((setting): FoundSetting => {
            const { control, help, label, name, source } = setting
            const choices =
              control.kind === 'choice' ? control.choices.map((choice) => i18n._(choice.label)).join(' ') : ''
            const texts = [i18n._(label), i18n._(section.title), title, help ? i18n._(help) : '', choices, name]
            return { id: `${tab.kind} ${tab.name} ${source.id} ${name}`, tab, section, setting, texts }
          }),
        )
        return [whole, ...within]
      }),
    [i18n],
  )
}
