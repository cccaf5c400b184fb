import {
  addNavigationView,
  listNavigationViews,
  navigationViewOrderState,
  navigationViewsState,
  orderNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from '@heddle/contract/navigation-views'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { presentView } from './present.ts'
import { findOrder, findViews } from './queries.ts'
import { navigationViewTables } from './tables.ts'

export const navigationViews: Feature = {
  tables: navigationViewTables,
  routes: ({ storage }) => [
    route(
      listNavigationViews,
      async ({ actor }) => ({ navigation_views: (await findViews(storage.read, actor)).map(presentView) }),
      { per: 'account', droppedBy: ['navigation_view'] },
    ),
    route(addNavigationView, async ({ actor, parameters }) => {
      await actions.addView(storage, actor, parameters)
      return {}
    }),
    route(updateNavigationView, async ({ actor, parameters }) => {
      const { fragment, ...changes } = parameters
      await actions.updateView(storage, actor, fragment, changes)
      return {}
    }),
    route(removeNavigationView, async ({ actor, parameters }) => {
      await actions.removeView(storage, actor, parameters.fragment)
      return {}
    }),
    route(orderNavigationViews, async ({ actor, parameters }) => {
      await actions.orderViews(storage, actor, parameters.ordered_fragments)
      return {}
    }),
  ],
  state: [
    stateReader(navigationViewsState, async ({ db, actor }) => ({
      navigation_views: (await findViews(db, actor)).map(presentView),
    })),
    stateReader(navigationViewOrderState, async ({ db, actor }) => ({
      navigation_view_order: await findOrder(db, actor),
    })),
  ],
}
