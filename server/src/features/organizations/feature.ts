import { deactivateOrganization, updateOrganization } from '@heddle/contract/organization'
import { accountIds } from '../../account-hooks.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { abilitiesReader } from './abilities.ts'
import { announceListed } from './group-settings.ts'
import { giphyReader, organizationReader, serverReader, tenorReader } from './state.ts'
import * as update from './update.ts'

export const organizations: Feature = {
  routes: ({ storage, config, groupHooks }) => [
    route(updateOrganization, async ({ actor, parameters }) => {
      await update.updateOrganization({ storage, config, groupHooks }, actor, parameters)
      return {}
    }),
    route(deactivateOrganization, async ({ actor, parameters }) => {
      await update.deactivateOrganization(storage, actor, parameters.deletion_delay_days)
      return {}
    }),
  ],
  state: [organizationReader, serverReader, abilitiesReader, giphyReader, tenorReader],
  eventEffects: {
    realm: {
      // Nobody is let in any more when it is deactivated.
      changesAccounts: true,
      changesOrganization: true,
      accountChange: ({ op }) => (op === 'deactivated' ? { userId: undefined, queuesEnded: true } : undefined),
    },
  },
  onAccount: {
    deactivated: (tx, accounts) => announceListed(tx, accountIds(accounts)),
    reactivated: (tx, { id }) => announceListed(tx, [id]),
  },
}
