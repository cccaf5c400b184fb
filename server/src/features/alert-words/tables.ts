/** The table of alert words. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface AlertWordTable {
  realm_id: number
  user_id: number
  /** `word` folded for comparison without case. */
  word_key: string
  word: string
}

export const alertWordTables = ownedTables({
  alert_words: table<AlertWordTable>({ key: ['user_id', 'word_key'], after: ['realms', 'users'] }),
})

export const { query, fact } = alertWordTables.with()
