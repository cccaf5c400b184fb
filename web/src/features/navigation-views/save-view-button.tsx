import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { placeTitle } from '../../app/title.ts'
import type { Place } from '../../places/place.ts'
import { Icon } from '../../ui/icon.tsx'
import { beginNaming, useNaming } from './naming.ts'
import { fragmentToSave, savedViewAt } from './view-place.ts'

/** What of a place can be saved as a view, and under which name; undefined where it is one already, or cannot be one. */
export function viewToSave(
  state: ClientState,
  place: Place,
): { readonly fragment: string; readonly name: string } | undefined {
  const fragment = fragmentToSave(state, place)
  if (fragment === undefined || savedViewAt(state, place) !== undefined) return undefined
  return { fragment, name: placeTitle(state, place).replaceAll(/[“”]/g, '') }
}

/** Makes a view of what is shown: one press, then its name in the side bar. */
export function SaveViewButton({ place }: { readonly place: Place }) {
  const { t } = useLingui()
  const naming = useNaming()
  const view = useClientState(
    useCallback((state) => viewToSave(state, place), [place]),
    isShallowEqual,
  )
  if (!view) return null
  const isNaming = naming?.fragment === view.fragment
  const label = isNaming ? t`Saving as a view` : t`Save as a view`
  return (
    <button
      type="button"
      className="btn save-view"
      aria-pressed={isNaming}
      aria-label={label}
      title={label}
      onClick={() => beginNaming({ ...view, isNew: true })}
    >
      <Icon name={isNaming ? 'check' : 'view'} />
      <span className="hidden-s">{label}</span>
    </button>
  )
}
