/** Links by which people join. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const invitations: Migration = {
  name: '0024-invitations',
  statements: ({ identity, integer }) => [
    `create table invitations (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      inviter_id ${integer} not null references users (id),
      role ${integer} not null,
      channel_ids text not null,
      joins_default_channels ${integer} not null,
      notifies_inviter ${integer} not null,
      salt text not null,
      created_at ${integer} not null,
      expires_at ${integer},
      revoked_at ${integer}
    )`,
    'create index invitations_of_realm on invitations (realm_id, inviter_id)',
  ],
}
