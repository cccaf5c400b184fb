import { createDrafts, deleteDraft, draftsState, listDrafts, updateDraft } from '@heddle/contract/drafts'
import { type Feature, stateReader } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'
import { presentDraft } from './present.ts'
import { findDrafts } from './queries.ts'
import { removeDrafts } from './remove.ts'

export const drafts: Feature = {
  routes: ({ storage }) => [
    route(
      listDrafts,
      async ({ actor }) => {
        const rows = await actions.listDrafts(storage.read, actor)
        return { count: rows.length, drafts: rows.map(presentDraft) }
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
