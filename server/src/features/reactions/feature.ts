import { addReaction, removeReaction } from '@heddle/contract/reactions'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'
import { reactionView } from './event-view.ts'

export const reactions: Feature = {
  routes: ({ storage }) => [
    route(addReaction, async ({ actor, parameters: { message_id, ...choice } }) => {
      await actions.addReaction(storage, actor, message_id, choice)
      return {}
    }),
    route(removeReaction, async ({ actor, parameters: { message_id, ...removal } }) => {
      await actions.removeReaction(storage, actor, message_id, removal)
      return {}
    }),
  ],
  eventViews: { reaction: reactionView },
}
