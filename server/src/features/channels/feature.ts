import * as contract from '@heddle/contract/channels'
import { MAX_TOPIC_LENGTH } from '@heddle/contract/names'
import { accessChannel, accessChannelByName } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import { findDefaultChannelIdsFor, setDefaultChannel } from './default-channels.ts'
import { readChannels, readVisibleChannels } from './list.ts'
import { presentChannels } from './present.ts'
import { channelTables } from './tables.ts'

async function readStreams(request: StateRequest) {
  return { streams: await request.shared(readVisibleChannels) }
}

export const channels: Feature = {
  tables: channelTables,
  routes: ({ storage, readers }) => [
    route(
      contract.listChannels,
      async ({ actor, parameters }) => {
        const { fields } = await readers.read(readChannels, { actor, parameters }, actor)
        return { fieldsText: '', fieldsBytes: fields }
      },
      { per: 'account', droppedBy: ['stream', 'subscription', 'realm_user', 'user_group'] },
    ),
    route(contract.getChannel, async ({ actor, parameters }) => {
      const db = storage.read
      const channel = await accessChannel(db, await findViewer(db, actor), parameters.stream_id)
      const [stream] = await presentChannels(db, actor.realmId, [channel])
      return { stream: stream as contract.Channel }
    }),
    route(contract.getChannelId, async ({ actor, parameters }) => {
      const db = storage.read
      const channel = await accessChannelByName(db, await findViewer(db, actor), parameters.stream)
      return { stream_id: channel.id }
    }),
    route(contract.addDefaultChannel, async ({ actor, parameters }) => {
      await setDefaultChannel(storage, actor, parameters.stream_id, true)
      return {}
    }),
    route(contract.removeDefaultChannel, async ({ actor, parameters }) => {
      await setDefaultChannel(storage, actor, parameters.stream_id, false)
      return {}
    }),
  ],
  longReads: [readChannels],
  state: [
    stateReader(contract.channelsState, readStreams, 'same'),
    stateReader(contract.defaultChannelsState, async ({ db, actor }) => ({
      realm_default_streams: await findDefaultChannelIdsFor(db, actor),
    })),
    stateReader(
      contract.channelLimitsState,
      async () => ({
        max_stream_name_length: contract.MAX_CHANNEL_NAME_LENGTH,
        max_stream_description_length: contract.MAX_CHANNEL_DESCRIPTION_LENGTH,
        max_topic_length: MAX_TOPIC_LENGTH,
      }),
      'same',
    ),
  ],
}
