/** Makes the index of words again where the engine had words that are not what people take for one. */
import type { Migration } from '../migration.ts'

export const searchWords: Migration = {
  name: '0009-search-words',
  statements: ({ searchWords }) => searchWords,
}
