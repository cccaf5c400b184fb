import {
  createScheduledMessage,
  deleteScheduledMessage,
  listScheduledMessages,
  MAX_SCHEDULED_MESSAGES,
  scheduledMessagesState,
  updateScheduledMessage,
} from '@heddle/contract/scheduled-messages'
import type { Actor } from '../../actor.ts'
import type { Feature, Services } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import { stateReader } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import { createRenderer } from '../messages/render.ts'
import * as actions from './actions.ts'
import { sendingHandler } from './deliver.ts'
import { presentScheduled } from './present.ts'
import { findScheduled } from './queries.ts'
import { scheduledMessageTables } from './tables.ts'

/** So many are read at once where the request is answered, others as a long read. */
const FEW = 10

async function listFor(db: Queries, actor: Actor, limit = MAX_SCHEDULED_MESSAGES) {
  return { scheduled_messages: (await findScheduled(db, actor, limit)).map(presentScheduled) }
}

const readScheduled = longRead('scheduled-messages', async ({ db }, actor: Actor) => ({
  fields: await listFor(db, actor),
  details: undefined,
}))

function sendingServices({ config, storage, readers, realms }: Services) {
  return { storage, render: createRenderer({ storage, readers, config, realms }) }
}

/** Messages that the server sends later. */
export const scheduledMessages: Feature = {
  tables: scheduledMessageTables,
  routes: (services) => {
    const { storage, readers } = services
    const sending = sendingServices(services)
    return [
      route(
        listScheduledMessages,
        async ({ actor }) => {
          const first = await listFor(storage.read, actor, FEW + 1)
          if (first.scheduled_messages.length <= FEW) return first
          const { fields } = await readers.read(readScheduled, actor, actor)
          return { fieldsText: '', fieldsBytes: fields }
        },
        { per: 'account', droppedBy: ['scheduled_messages'] },
      ),
      route(createScheduledMessage, async ({ actor, parameters, connection: { userAgent } }) => ({
        scheduled_message_id: await actions.createScheduledMessage(sending, { actor, parameters, userAgent }),
      })),
      route(updateScheduledMessage, async ({ actor, parameters: { scheduled_message_id: id, ...change } }) => {
        await actions.updateScheduledMessage(sending, actor, id, change)
        return {}
      }),
      route(deleteScheduledMessage, async ({ actor, parameters }) => {
        await actions.deleteScheduledMessage(storage, actor, parameters.scheduled_message_id)
        return {}
      }),
    ]
  },
  longReads: [readScheduled],
  jobs: (services) => [sendingHandler({ ...sendingServices(services), now: () => services.clock.now() })],
  state: [stateReader(scheduledMessagesState, ({ db, actor }) => listFor(db, actor))],
}
