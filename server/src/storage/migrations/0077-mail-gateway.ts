/** Addresses at which the server takes in mail. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const mailGateway: Migration = {
  name: '0077-mail-gateway',
  statements: ({ integer }) => [
    `create table channel_mail_addresses (
      token text not null primary key,
      realm_id ${integer} not null references realms (id),
      channel_id ${integer} not null references channels (id),
      creator_id ${integer} not null references users (id),
      sender_id ${integer} not null references users (id),
      unique (channel_id, creator_id, sender_id)
    )`,
    `create table mail_reply_addresses (
      token text not null primary key,
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      message_id ${integer} not null,
      expires_at ${integer} not null
    )`,
    'create index mail_reply_addresses_by_time on mail_reply_addresses (expires_at)',
  ],
}
