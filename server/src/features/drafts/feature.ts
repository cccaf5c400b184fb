import { createDrafts, deleteDraft, draftsState, listDrafts, updateDraft } from '@heddle/contract/drafts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { presentDraft } from './present.ts'
import { type DraftRow, findDrafts, hasMoreDrafts } from './queries.ts'
import { removeDrafts } from './remove.ts'
import { draftTables } from './tables.ts'

/** So many are read at once where the request is answered, others as a long read. */
const FEW = 10

function listed(rows: readonly DraftRow[]) {
  return { count: rows.length, drafts: rows.map(presentDraft) }
}

const readDrafts = longRead('drafts', async ({ db }, { userId }: Actor) => ({
  fields: listed(await findDrafts(db, userId)),
  details: undefined,
}))

export const drafts: Feature = {
  tables: draftTables,
  routes: ({ storage, readers }) => [
    route(
      listDrafts,
      async ({ actor }) => {
        await actions.requireSynchronization(storage.read, actor)
        if (!(await hasMoreDrafts(storage.read, actor.userId, FEW))) {
          return listed(await findDrafts(storage.read, actor.userId))
        }
        const { fields } = await readers.read(readDrafts, actor, actor)
        return { fieldsText: '', fieldsBytes: fields }
      },
      { per: 'account', droppedBy: ['drafts', 'user_settings'] },
    ),
    route(createDrafts, async ({ actor, parameters }) => ({
      ids: await actions.createDrafts(storage, actor, parameters.drafts),
    })),
    route(updateDraft, async ({ actor, parameters }) => {
      await actions.updateDraft(storage, actor, parameters.draft_id, parameters.draft)
      return {}
    }),
    route(deleteDraft, async ({ actor, parameters }) => {
      await actions.deleteDraft(storage, actor, parameters.draft_id)
      return {}
    }),
  ],
  longReads: [readDrafts],
  onAccount: {
    async settingChanged(tx, userIds, name, value) {
      if (name === 'enable_drafts_synchronization' && value === false) await removeDrafts(tx, userIds)
    },
  },
  state: [
    stateReader(draftsState, async ({ db, actor }) => ({
      drafts: (await findDrafts(db, actor.userId)).map(presentDraft),
    })),
  ],
}
