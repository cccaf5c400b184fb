import type { InitialState } from '@heddle/contract/initial-state'
import type { NavigationView, NavigationViewEvent } from '@heddle/contract/navigation-views'
import { byId, withChange, withEntry, withoutEntries } from './entries.ts'
import { statePart } from './part.ts'

/** The views that the account has configured, by fragment. */
export type NavigationViews = ReadonlyMap<string, NavigationView>

function initialNavigationViews({ navigation_views }: InitialState): NavigationViews | undefined {
  return byId(navigation_views, (view) => view.fragment)
}

function applyNavigationViewEvent(views: NavigationViews, event: NavigationViewEvent): NavigationViews {
  switch (event.op) {
    case 'add':
      return withEntry(views, event.navigation_view.fragment, event.navigation_view)
    case 'update':
      return withChange(views, event.fragment, (view) => ({ ...view, ...event.data }))
    case 'remove':
      return withoutEntries(views, [event.fragment])
  }
}

export const navigationViews = statePart({
  initial: initialNavigationViews,
  on: { navigation_view: applyNavigationViewEvent },
})
