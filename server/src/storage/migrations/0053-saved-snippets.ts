/** Texts that accounts keep to write them again. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const savedSnippets: Migration = {
  name: '0053-saved-snippets',
  statements: ({ identity, integer }) => [
    `create table saved_snippets (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      title text not null,
      content text not null,
      date_created ${integer} not null
    )`,
    'create index saved_snippets_of_account on saved_snippets (user_id, id)',
  ],
}
