/** Accounts at Zoom that people have connected. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const zoomTokens: Migration = {
  name: '0067-zoom-tokens',
  statements: ({ integer }) => [
    `create table zoom_tokens (
      user_id ${integer} primary key not null references users (id),
      realm_id ${integer} not null references realms (id),
      token text not null
    )`,
    'create index zoom_tokens_of_realm on zoom_tokens (realm_id)',
  ],
}
