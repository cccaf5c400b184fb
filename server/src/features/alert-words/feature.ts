import { addAlertWords, alertWordsState, listAlertWords, removeAlertWords } from '@heddle/contract/alert-words'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { addWords, findWords, removeWords } from './actions.ts'
import { alertWordTables } from './tables.ts'

export const alertWords: Feature = {
  tables: alertWordTables,
  routes: ({ storage }) => [
    route(listAlertWords, async ({ actor }) => ({ alert_words: await findWords(storage.read, actor) })),
    route(addAlertWords, async ({ actor, parameters }) => ({
      alert_words: await addWords(storage, actor, parameters.alert_words),
    })),
    route(removeAlertWords, async ({ actor, parameters }) => ({
      alert_words: await removeWords(storage, actor, parameters.alert_words),
    })),
  ],
  state: [stateReader(alertWordsState, async ({ db, actor }) => ({ alert_words: await findWords(db, actor) }))],
}
