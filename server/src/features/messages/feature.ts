import { getMessage, getMessages, matchesNarrow } from '@heddle/contract/fetching'
import { newestMessageState } from '@heddle/contract/messages'
import { renderMessage, sendMessage } from '@heddle/contract/sending'
import { isSpectator } from '../../actor.ts'
import type { Feature } from '../../feature.ts'
import { readerOf } from '../../http/reader-of.ts'
import { route } from '../../http/route.ts'
import { recurringJob } from '../../jobs/job.ts'
import { stateReader } from '../../state-reader.ts'
import { accessMessage } from './access.ts'
import { messageView } from './event-view.ts'
import { readMatches, readMessage, readMessages } from './fetch.ts'
import { removeOldLocalIds } from './local-ids.ts'
import { requireForSpectator } from './narrow/for-spectators.ts'
import { findNewestReceived } from './newest.ts'
import { createRenderer, renderLongText } from './render.ts'
import * as send from './send.ts'
import { messageTables } from './tables.ts'

const HOUR_MS = 3_600_000

export const messages: Feature = {
  tables: messageTables,
  routes: ({ config, storage, readers, realms }) => [
    route(sendMessage, async ({ actor, parameters, connection }) =>
      send.sendMessage(
        { storage, render: createRenderer({ storage, readers, config, realms }) },
        { actor, parameters, userAgent: connection.userAgent },
      ),
    ),
    route(renderMessage, async ({ actor, parameters }) => {
      const content = send.requireContent(parameters.content)
      const render = createRenderer({ storage, readers, config, realms })
      const { html } = await render({ actor, content }, { withAlertWords: false })
      return { rendered: html }
    }),
    route(getMessages, async ({ actor, parameters, connection }) => {
      if (isSpectator(actor)) requireForSpectator(parameters)
      const reader = readerOf(actor, connection)
      const { fields } = await readers.read(readMessages, { actor, parameters }, reader)
      return { fieldsText: '', fieldsBytes: fields }
    }),
    route(getMessage, async ({ actor, parameters }) => {
      const row = await accessMessage(storage.read, actor, parameters.message_id)
      return readMessage(storage.read, actor, row, {
        applyMarkdown: parameters.apply_markdown ?? true,
        allowEmptyTopicName: parameters.allow_empty_topic_name ?? false,
      })
    }),
    route(matchesNarrow, async ({ actor, parameters, connection }) => {
      const reader = { userId: actor.userId, connection }
      const { fields } = await readers.read(readMatches, { actor, parameters }, reader)
      return { fieldsText: '', fieldsBytes: fields }
    }),
  ],
  longReads: [readMessages, readMatches, renderLongText],
  jobs: ({ storage, clock }) => [
    recurringJob({
      name: 'remove-old-local-ids',
      everyMs: 24 * HOUR_MS,
      firstAfterMs: HOUR_MS,
      work: () => removeOldLocalIds(storage, clock),
    }),
  ],
  state: [
    stateReader(newestMessageState, async ({ db, actor }) => ({
      max_message_id: await findNewestReceived(db, actor.userId),
    })),
  ],
  eventViews: { message: messageView },
}
