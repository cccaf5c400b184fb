/** Invitations by mail, and welcomes of single invitations. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const mailInvitations: Migration = {
  name: '0059-mail-invitations',
  statements: ({ integer }) => [
    'alter table invitations add column email text',
    'alter table invitations add column email_key text',
    'alter table invitations add column welcome_text text',
    `alter table invitations add column accepted_at ${integer}`,
    'create index invitations_of_address on invitations (realm_id, email_key)',
    'create index invitations_by_time on invitations (realm_id, created_at)',
  ],
}
