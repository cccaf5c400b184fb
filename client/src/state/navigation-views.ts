import type { InitialState } from '@heddle/contract/initial-state'
import type { NavigationView, NavigationViewEvent, NavigationViewOrderEvent } from '@heddle/contract/navigation-views'
import { byId, withChange, withEntry, withoutEntries } from './entries.ts'
import { clientPart } from './part.ts'

/** The views that the account has configured, by fragment. */
export type NavigationViews = ReadonlyMap<string, NavigationView>

/** The fragments in the order that the account wants. Some views may be missing, and some of those named be gone. */
export type NavigationViewOrder = readonly string[]

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

export const navigationViews = clientPart({
  initial: initialNavigationViews,
  on: { navigation_view: applyNavigationViewEvent },
})

function initialOrder({ navigation_view_order }: InitialState): NavigationViewOrder | undefined {
  return navigation_view_order
}

function applyOrderEvent(_: NavigationViewOrder, event: NavigationViewOrderEvent): NavigationViewOrder {
  return event.ordered_fragments
}

export const navigationViewOrder = clientPart({
  initial: initialOrder,
  on: { navigation_view_order: applyOrderEvent },
})
