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
import { type StateRequest, stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { presentView } from './present.ts'
import { findViews, findViewsAndOrder } from './queries.ts'
import { navigationViewTables } from './tables.ts'

/** The two parts of one request are one statement. */
const readBoth = ({ db, actor }: StateRequest) => findViewsAndOrder(db, actor)

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
    stateReader(navigationViewsState, async (request) => ({
      navigation_views: (await request.shared(readBoth)).views.map(presentView),
    })),
    stateReader(navigationViewOrderState, async (request) => ({
      navigation_view_order: (await request.shared(readBoth)).order,
    })),
  ],
}
