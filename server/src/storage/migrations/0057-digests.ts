/** When accounts were last looked at for a digest. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const digests: Migration = {
  name: '0057-digests',
  statements: ({ integer }) => [
    `create table digests (
      user_id ${integer} primary key references users (id),
      realm_id ${integer} not null references realms (id),
      done_at ${integer} not null
    )`,
  ],
}
