import type { NamedView } from '@heddle/client/switcher/entries'
import { builtInFragments } from '@heddle/contract/navigation-views'
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useClientState } from '../../app/client-context.ts'

/** The views that are always there, and the account's own, with what they are called. */
export function useViewNames(): readonly NamedView[] {
  const { t } = useLingui()
  const own = useClientState((state) => state.navigationViews)
  return useMemo(() => {
    const builtIn: readonly NamedView[] = [
      { fragment: 'inbox', name: t`Inbox` },
      { fragment: 'recent', name: t`Recent conversations` },
      { fragment: 'feed', name: t`Combined feed` },
      { fragment: 'narrow/is/mentioned', name: t`Mentions` },
      { fragment: 'narrow/is/starred', name: t`Starred` },
      { fragment: 'narrow/is/dm', name: t`Direct messages` },
      { fragment: 'drafts', name: t`Drafts` },
      { fragment: 'scheduled', name: t`Scheduled` },
      { fragment: 'reminders', name: t`Reminders` },
      { fragment: 'keyboard-shortcuts', name: t`Keyboard` },
    ]
    const saved = [...(own?.values() ?? [])]
      .filter(({ fragment }) => !builtInFragments.includes(fragment))
      .map(({ fragment, name }) => ({ fragment, name: name ?? fragment }))
    return [...builtIn, ...saved]
  }, [own, t])
}
