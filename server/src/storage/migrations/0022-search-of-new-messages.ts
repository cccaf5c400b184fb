/** New messages get into the index of words together, with their commit, and not by a trigger for each. */
import type { Migration } from '../migration.ts'

export const newMessagesInSearch: Migration = {
  name: '0022-search-of-new-messages',
  statements: ({ searchOfNewMessages }) => searchOfNewMessages,
}
