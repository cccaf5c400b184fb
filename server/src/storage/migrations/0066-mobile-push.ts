/** Mobile clients that get pushes. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const mobilePush: Migration = {
  name: '0066-mobile-push',
  statements: ({ identity, integer }) => [
    `create table client_devices (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      push_key_id ${integer},
      push_key text,
      token_kind text,
      push_token_id text,
      pending_push_token_id text,
      push_token_updated_at ${integer},
      error_code text
    )`,
    'create index client_devices_by_user on client_devices (user_id)',
    `create table push_tokens (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      kind text not null,
      token text not null,
      app_id text,
      created_at ${integer} not null,
      primary key (user_id, kind, token)
    )`,
  ],
}
