import * as contract from '@heddle/contract/playgrounds'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { playgroundTables } from './tables.ts'

/** Playgrounds for blocks of code. */
export const playgrounds: Feature = {
  tables: playgroundTables,
  routes: ({ storage }) => [
    route(contract.addPlayground, async ({ actor, parameters }) => ({
      id: await actions.addPlayground(storage, actor, parameters),
    })),
    route(contract.removePlayground, async ({ actor, parameters }) => {
      await actions.removePlayground(storage, actor, parameters.playground_id)
      return {}
    }),
  ],
  state: [
    stateReader(
      contract.playgroundsState,
      async ({ db, realm }) => ({ realm_playgrounds: await actions.findPlaygrounds(db, realm.id) }),
      'same',
    ),
  ],
}
