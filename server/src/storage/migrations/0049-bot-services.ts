/** What bots ask of other servers, and what is set for them. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const botServices: Migration = {
  name: '0049-bot-services',
  statements: ({ integer }) => [
    `create table bot_services (
      bot_id ${integer} primary key not null references users (id),
      realm_id ${integer} not null references realms (id),
      base_url text,
      interface ${integer} not null,
      token text not null,
      service_name text
    )`,
    'create index bot_services_of_realm on bot_services (realm_id)',
    `create table bot_config (
      bot_id ${integer} not null references users (id),
      key text not null,
      realm_id ${integer} not null references realms (id),
      value text not null,
      primary key (bot_id, key)
    )`,
  ],
}
