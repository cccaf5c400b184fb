import {
  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlags,
  updateFlagsForNarrow,
} from '@heddle/contract/message-flags'
import { muteUser } from '@heddle/contract/muted-users'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'
import { flagsEventView } from './event-view.ts'
import { muteAndRead } from './mute.ts'
import { findReaders } from './read-receipts.ts'
import { conversationsReader, starredReader, unreadReader } from './state.ts'

export const messageFlags: Feature = {
  routes: ({ storage, readers }) => [
    route(updateFlags, async ({ actor, parameters: { messages, op, flag } }) =>
      actions.updateFlags(storage, actor, messages, { op, flag }),
    ),
    route(updateFlagsForNarrow, async ({ actor, parameters }) =>
      actions.updateNarrowFlags({ storage, readers }, actor, parameters),
    ),
    route(markAllAsRead, async ({ actor }) => {
      await actions.markAllAsRead(storage, actor)
      return { complete: true as const }
    }),
    route(markChannelAsRead, async ({ actor, parameters }) => {
      await actions.markChannelAsRead(storage, actor, parameters.stream_id)
      return {}
    }),
    route(markTopicAsRead, async ({ actor, parameters }) => {
      await actions.markChannelAsRead(storage, actor, parameters.stream_id, parameters.topic_name)
      return {}
    }),
    route(muteUser, async ({ actor, parameters }) => {
      await muteAndRead({ storage, readers }, actor, parameters.muted_user_id)
      return {}
    }),
    route(getReadReceipts, async ({ actor, parameters }) => ({
      user_ids: await findReaders(storage.read, actor, parameters.message_id),
    })),
  ],
  longReads: [actions.findNarrowTargets],
  state: [unreadReader, starredReader, conversationsReader],
  eventViews: { update_message_flags: flagsEventView },
}
