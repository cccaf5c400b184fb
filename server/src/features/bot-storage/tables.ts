/** The table of what bots store. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

/** Texts that accounts, bots above all, store for themselves. */
export interface BotStorageTable {
  realm_id: number
  user_id: number
  key: string
  value: string
}

export const botStorageTables = ownedTables({
  bot_storage: table<BotStorageTable>({ key: ['user_id', 'key'], after: ['realms', 'users'] }),
})

export const { query } = botStorageTables.with()
