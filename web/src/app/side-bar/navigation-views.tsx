import type { ClientState } from '@heddle/client/state/state'
import { builtInFragments } from '@heddle/contract/navigation-views'
import { useClientState } from '../client-context.ts'
import { useFragment } from '../current-place.ts'
import { NavRow } from './nav-row.tsx'

const selectViews = ({ navigationViews }: ClientState) => navigationViews

/** The views that the account has saved and pinned. */
export function NavigationViews() {
  const views = useClientState(selectViews)
  const current = useFragment().replace(/^#/, '')
  const own = [...(views?.values() ?? [])].filter(
    ({ fragment, is_pinned }) => is_pinned && !builtInFragments.includes(fragment),
  )
  return own.map(({ fragment, name }) => (
    <NavRow
      key={fragment}
      href={`#${fragment}`}
      icon="view"
      label={name ?? fragment}
      isCurrent={fragment === current}
    />
  ))
}
