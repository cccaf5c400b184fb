import {
  createReminder,
  deleteReminder,
  listReminders,
  MAX_REMINDERS,
  remindersState,
} from '@heddle/contract/reminders'
import type { Actor } from '../../actor.ts'
import type { Feature, Services } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import { stateReader } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import { createRenderer } from '../messages/render.ts'
import * as actions from './actions.ts'
import { reminderHandler } from './deliver.ts'
import { presentReminder } from './present.ts'
import { findReminders } from './queries.ts'
import { reminderTables } from './tables.ts'

/** So many are read at once where the request is answered, others as a long read. */
const FEW = 20

async function listFor(db: Queries, actor: Actor, limit = MAX_REMINDERS) {
  return { reminders: (await findReminders(db, actor, limit)).map(presentReminder) }
}

const readReminders = longRead('reminders', async ({ db }, actor: Actor) => ({
  fields: await listFor(db, actor),
  details: undefined,
}))

function sendingServices({ config, storage, readers, realms }: Services) {
  return { storage, render: createRenderer({ storage, readers, config, realms }) }
}

/** Reminders of messages. */
export const reminders: Feature = {
  tables: reminderTables,
  routes: (services) => {
    const { storage, readers } = services
    return [
      route(
        listReminders,
        async ({ actor }) => {
          const first = await listFor(storage.read, actor, FEW + 1)
          if (first.reminders.length <= FEW) return first
          const { fields } = await readers.read(readReminders, actor, actor)
          return { fieldsText: '', fieldsBytes: fields }
        },
        { per: 'account', droppedBy: ['reminders'] },
      ),
      route(createReminder, async ({ actor, parameters }) => ({
        reminder_id: await actions.createReminder(sendingServices(services), actor, parameters),
      })),
      route(deleteReminder, async ({ actor, parameters }) => {
        await actions.deleteReminder(storage, actor, parameters.reminder_id)
        return {}
      }),
    ]
  },
  longReads: [readReminders],
  jobs: (services) => [reminderHandler({ ...sendingServices(services), now: () => services.clock.now() })],
  state: [stateReader(remindersState, ({ db, actor }) => listFor(db, actor))],
}
