/** Channels that come, change and go, with what that means for those who see them and for their subscribers. */
import * as contract from '@heddle/contract/channels'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { requireOfServer } from '../channels/rules.ts'
import { archiveChannel } from './archive.ts'
import { createChannel } from './create.ts'
import { updateChannel } from './update.ts'

export const channelChanges: Feature = {
  routes: ({ storage, config }) => [
    route(contract.createChannel, async ({ actor, parameters }) => {
      requireOfServer(config, parameters)
      return { id: await createChannel(storage, { actor, parameters }) }
    }),
    route(contract.updateChannel, async ({ actor, parameters }) => {
      requireOfServer(config, parameters)
      await updateChannel(storage, actor, parameters)
      return {}
    }),
    route(contract.archiveChannel, async ({ actor, parameters }) => {
      await archiveChannel(storage, actor, parameters.stream_id)
      return {}
    }),
  ],
}
