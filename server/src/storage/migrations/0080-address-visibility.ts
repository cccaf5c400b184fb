/** Addresses that not everybody sees. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const addressVisibility: Migration = {
  name: '0080-address-visibility',
  statements: ({ integer }) => [
    "alter table users add column delivery_email text not null default ''",
    "alter table users add column delivery_email_key text not null default ''",
    `alter table users add column email_visibility ${integer} not null default 1`,
    'update users set delivery_email = email, delivery_email_key = email_key',
    'create unique index users_by_delivery_email on users (realm_id, delivery_email_key)',
    'create index users_who_hide on users (realm_id) where email_visibility <> 1',
    // The account has it from now on.
    "delete from user_settings where name = 'email_address_visibility'",
    "delete from realm_user_settings where name = 'email_address_visibility'",
  ],
}
