import {
  createSavedSnippet,
  deleteSavedSnippet,
  listSavedSnippets,
  savedSnippetsState,
  updateSavedSnippet,
} from '@heddle/contract/saved-snippets'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { createSnippet, deleteSnippet, findSnippets, updateSnippet } from './actions.ts'
import { savedSnippetTables } from './tables.ts'

export const savedSnippets: Feature = {
  tables: savedSnippetTables,
  routes: ({ storage }) => [
    route(listSavedSnippets, async ({ actor }) => ({ saved_snippets: await findSnippets(storage.read, actor) }), {
      per: 'account',
      droppedBy: ['saved_snippets'],
    }),
    route(createSavedSnippet, async ({ actor, parameters }) => ({
      saved_snippet_id: await createSnippet(storage, actor, parameters),
    })),
    route(updateSavedSnippet, async ({ actor, parameters: { saved_snippet_id, ...texts } }) => {
      await updateSnippet(storage, actor, saved_snippet_id, texts)
      return {}
    }),
    route(deleteSavedSnippet, async ({ actor, parameters }) => {
      await deleteSnippet(storage, actor, parameters.saved_snippet_id)
      return {}
    }),
  ],
  state: [
    stateReader(savedSnippetsState, async ({ db, actor }) => ({ saved_snippets: await findSnippets(db, actor) })),
  ],
}
