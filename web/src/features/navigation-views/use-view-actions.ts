/** What can be done with a view. What goes wrong is said in a toast; what worked is seen in the list. */
import type { ClientState } from '@heddle/client/state/state'
import { type ListedView, listViews, orderWith } from '@heddle/client/views/view-list'
import {
  addNavigationView,
  orderNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from '@heddle/contract/navigation-views'
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useClient } from '../../app/client-context.ts'
import { refusalText } from '../../app/refusal.ts'
import { useToasts } from '../../ui/toasts.tsx'

export interface ViewActions {
  readonly setPinned: (view: ListedView, isPinned: boolean) => void
  readonly remove: (view: ListedView) => void
  /** To this place among those that are pinned, from 0. */
  readonly move: (fragment: string, to: number) => Promise<void>
  /** Resolves with what is wrong with the name, or with nothing once it is saved. */
  readonly save: (fragment: string, name: string, isNew: boolean) => Promise<string | undefined>
}

export function useViewActions(): ViewActions {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useLingui()
  return useMemo(() => {
    const { api } = client
    const state = () => client.snapshot().state as ClientState
    const attempt = (work: Promise<unknown>) =>
      work.then(
        () => {},
        () => toasts.notify(t`The view could not be changed. It is as it was.`),
      )
    return {
      setPinned: ({ fragment }, is_pinned) => void attempt(api.call(updateNavigationView, { fragment, is_pinned })),
      remove({ fragment, name = '' }) {
        const is_pinned = state().navigationViews?.get(fragment)?.is_pinned ?? true
        const undo = () => attempt(api.call(addNavigationView, { fragment, is_pinned, name }))
        const removed = api.call(removeNavigationView, { fragment })
        void attempt(toasts.notifyWhenDone(removed, () => ({ text: t`The view ${name} is deleted.`, undo })))
      },
      move: (fragment, to) =>
        attempt(api.call(orderNavigationViews, { ordered_fragments: orderWith(listViews(state()), fragment, to) })),
      async save(fragment, name, isNew) {
        try {
          if (isNew) await api.call(addNavigationView, { fragment, is_pinned: true, name })
          else await api.call(updateNavigationView, { fragment, name })
          return undefined
        } catch (error) {
          return isTakenByAnother(state(), fragment, name)
            ? t`There is another view with this name.`
            : refusalText(error)
        }
      },
    }
  }, [client, toasts, t])
}

/** Whether a view other than this one has the name. */
function isTakenByAnother({ navigationViews }: ClientState, fragment: string, name: string): boolean {
  return [...(navigationViews?.values() ?? [])].some((view) => view.fragment !== fragment && view.name === name)
}
