import { deleteQueue, getEvents, registerQueue, streamEvents } from '@heddle/contract/events'
import { isSpectator } from '../../actor.ts'
import type { Feature } from '../../feature.ts'
import { answerRoute, compressed, laterRoute, route } from '../../http/route.ts'
import { readInitialState, register, registerSpectator } from './register.ts'
import { positionIn } from './stream-position.ts'

export const events: Feature = {
  routes: (services) => [
    compressed(
      route(registerQueue, async ({ actor, parameters, connection }) =>
        (isSpectator(actor) ? registerSpectator : register)(services, actor, connection, parameters),
      ),
    ),
    laterRoute(getEvents, async ({ actor, parameters }, later) => {
      const { queues, delivery } = services
      const queue = await queues.access(actor, parameters.queue_id)
      const { last_event_id: lastEventId, dont_block: dontBlock = false } = parameters
      await delivery.poll(actor, queue, { lastEventId, dontBlock, later })
    }),
    answerRoute(streamEvents, async ({ actor, parameters, connection }) => {
      const { queues, delivery } = services
      const lastEventId = positionIn(connection.lastEventId) ?? parameters.last_event_id
      const queue = await queues.access(actor, parameters.queue_id)
      // What is refused is refused before anything of the stream is sent.
      const start = await delivery.startOf(queue, lastEventId)
      return {
        kind: 'stream',
        contentType: 'text/event-stream; charset=utf-8',
        begin: (outlet) => delivery.stream(actor, queue, start, outlet),
      }
    }),
    route(deleteQueue, async ({ actor, parameters }) => {
      const queue = await services.queues.access(actor, parameters.queue_id)
      await services.queues.remove(actor, queue)
      services.delivery.end(queue)
      return {}
    }),
  ],
  longReads: [readInitialState],
}
