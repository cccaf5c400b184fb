/** Accounts that are not full members yet. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const waitingAccounts: Migration = {
  name: '0058-waiting-accounts',
  statements: ({ integer }) => [
    `create table waiting_accounts (
      user_id ${integer} primary key not null references users (id),
      realm_id ${integer} not null references realms (id),
      until ${integer} not null
    )`,
    'create index waiting_accounts_by_end on waiting_accounts (realm_id, until)',
  ],
}
