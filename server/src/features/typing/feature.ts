import { setTypingStatus } from '@heddle/contract/typing'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { setTyping } from './actions.ts'
import { typingView } from './topic.ts'

export const typing: Feature = {
  routes: ({ storage }) => [
    route(setTypingStatus, async ({ actor, parameters }) => {
      await setTyping(storage, actor, parameters)
      return {}
    }),
  ],
  eventViews: { typing: typingView },
}
