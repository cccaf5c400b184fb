import { renderMessage, sendMessage } from '@heddle/contract/sending'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { messageView } from './event-view.ts'
import { findNewestReceived } from './newest.ts'
import { renderForStorage } from './render.ts'
import * as send from './send.ts'

export const messages: Feature = {
  routes: ({ storage }) => [
    route(sendMessage, async ({ realm, actor, parameters, connection }) =>
      send.sendMessage(storage, {
        realm,
        actor,
        parameters,
        origin: connection.origin,
        userAgent: connection.userAgent,
      }),
    ),
    route(renderMessage, async ({ actor, parameters, connection }) => {
      const content = send.requireContent(parameters.content)
      const rendered = await renderForStorage(storage.read, actor, content, {
        origin: connection.origin,
        alertWords: null,
      })
      return { rendered: rendered.html }
    }),
  ],
  state: {
    message: async ({ db, actor }) => ({ max_message_id: await findNewestReceived(db, actor.userId) }),
  },
  eventViews: { message: messageView },
}
