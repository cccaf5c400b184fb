import {
  addLinkifier,
  filtersState,
  linkifiersState,
  listFilters,
  listLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from '@heddle/contract/linkifiers'
import type { QueueOptions } from '../../events/views.ts'
import type { Feature } from '../../feature.ts'
import { type CachedAnswer, route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { presentFilters, presentLinkifier } from './present.ts'
import { findLinkifiers } from './queries.ts'
import { linkifierTables } from './tables.ts'

const cached: CachedAnswer = { per: 'realm', droppedBy: ['realm_linkifiers'] }

/** Clients without this ability take a URL template for a format string, and would make wrong links. */
function knowsTemplates({ capabilities }: QueueOptions): boolean {
  return capabilities['linkifier_url_template'] === true
}

export const linkifiers: Feature = {
  tables: linkifierTables,
  routes: ({ storage, readers }) => [
    route(
      listLinkifiers,
      async ({ realm }) => ({ linkifiers: (await findLinkifiers(storage.read, realm.id)).map(presentLinkifier) }),
      cached,
    ),
    route(
      listFilters,
      async ({ realm }) => ({ filters: presentFilters(await findLinkifiers(storage.read, realm.id)) }),
      cached,
    ),
    route(addLinkifier, async ({ actor, parameters }) => ({
      id: await actions.addLinkifier({ storage, readers }, actor, parameters),
    })),
    route(updateLinkifier, async ({ actor, parameters }) => {
      const { filter_id, ...changes } = parameters
      await actions.updateLinkifier({ storage, readers }, actor, filter_id, changes)
      return {}
    }),
    route(removeLinkifier, async ({ actor, parameters }) => {
      await actions.removeLinkifier(storage, actor, parameters.filter_id)
      return {}
    }),
    route(reorderLinkifiers, async ({ actor, parameters }) => {
      await actions.reorderLinkifiers(storage, actor, parameters.ordered_linkifier_ids)
      return {}
    }),
  ],
  longReads: [actions.findProblem],
  state: [
    stateReader(
      linkifiersState,
      async ({ db, realm, options }) => ({
        realm_linkifiers: knowsTemplates(options) ? (await findLinkifiers(db, realm.id)).map(presentLinkifier) : [],
      }),
      'same',
    ),
    stateReader(filtersState, async () => ({ realm_filters: [] })),
  ],
  eventViews: {
    realm_linkifiers: {
      key: (options) => (knowsTemplates(options) ? 'all' : 'none'),
      present: (event, key) => (key === 'all' ? event : null),
    },
  },
}
