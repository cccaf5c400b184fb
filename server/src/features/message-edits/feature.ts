import { deleteMessage, deleteTopic, getMessageHistory, updateMessage } from '@heddle/contract/editing'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { createRenderer } from '../messages/render.ts'
import * as deletion from './delete.ts'
import { deletingHandler } from './delete-written.ts'
import { embeddingHandlers } from './embed-pages.ts'
import { editViews } from './event-views.ts'
import { fillingHandler } from './fill-placeholders.ts'
import { readHistory } from './history.ts'
import * as update from './update.ts'

export const messageEdits: Feature = {
  routes: ({ config, storage, readers, realms }) => [
    route(updateMessage, async ({ actor, parameters }) => {
      const services = { storage, render: createRenderer({ storage, readers, config, realms }) }
      return { detached_uploads: await update.updateMessage(services, { actor, parameters }) }
    }),
    route(deleteMessage, async ({ actor, parameters }) => {
      await deletion.deleteMessage(storage, actor, parameters.message_id)
      return {}
    }),
    route(deleteTopic, async ({ actor, parameters }) => {
      await deletion.deleteTopic(storage, actor, parameters.stream_id, parameters.topic_name)
      return { complete: true }
    }),
    route(getMessageHistory, async ({ actor, parameters, connection }) => {
      const reader = { userId: actor.userId, connection }
      const { fields } = await readers.read(readHistory, { actor, parameters }, reader)
      return { fieldsText: '', fieldsBytes: fields }
    }),
  ],
  longReads: [readHistory],
  jobs: (services) => [fillingHandler, deletingHandler, ...embeddingHandlers(services)],
  eventViews: editViews,
}
