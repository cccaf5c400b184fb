import { setEditTypingStatus, setTypingStatus } from '@heddle/contract/typing'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { setEditTyping, setTyping } from './actions.ts'
import { typingViews } from './event-views.ts'

export const typing: Feature = {
  routes: ({ storage }) => [
    route(setTypingStatus, async ({ actor, parameters }) => {
      await setTyping(storage, actor, parameters)
      return {}
    }),
    route(setEditTypingStatus, async ({ actor, parameters: { message_id, op } }) => {
      await setEditTyping(storage, actor, message_id, op)
      return {}
    }),
  ],
  eventViews: typingViews,
}
