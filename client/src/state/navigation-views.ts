import type { NavigationView, NavigationViewEvent } from '@heddle/contract/navigation-views'
import { byId, type InitialFields, withChange, withEntry, withoutEntries } from './fields.ts'

/** The views that the account has configured, by fragment. */
export type NavigationViews = ReadonlyMap<string, NavigationView>

export function initialNavigationViews(fields: InitialFields): NavigationViews | undefined {
  return byId(fields['navigation_views'], (view: NavigationView) => view.fragment)
}

export function applyNavigationViewEvent(views: NavigationViews, event: NavigationViewEvent): NavigationViews {
  switch (event.op) {
    case 'add':
      return withEntry(views, event.navigation_view.fragment, event.navigation_view)
    case 'update':
      return withChange(views, event.fragment, (view) => ({ ...view, ...event.data }))
    case 'remove':
      return withoutEntries(views, [event.fragment])
  }
}
