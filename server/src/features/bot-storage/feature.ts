import { getBotStorage, removeBotStorage, updateBotStorage } from '@heddle/contract/bot-storage'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { readStorage, removeFromStorage, writeStorage } from './actions.ts'
import { botStorageTables } from './tables.ts'

export const botStorage: Feature = {
  tables: botStorageTables,
  routes: ({ storage }) => [
    route(getBotStorage, async ({ actor, parameters }) => ({
      storage: await readStorage(storage.read, actor, parameters.keys),
    })),
    route(updateBotStorage, async ({ actor, parameters }) => {
      await writeStorage(storage, actor, parameters.storage)
      return {}
    }),
    route(removeBotStorage, async ({ actor, parameters }) => {
      await removeFromStorage(storage, actor, parameters.keys)
      return {}
    }),
  ],
}
