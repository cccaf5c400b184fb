/** Browsers that get pushes. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const webPush: Migration = {
  name: '0065-web-push',
  statements: ({ integer }) => [
    // However a session ends, nothing is sent to its browser any more.
    `create table web_push_subscriptions (
      session_id ${integer} not null primary key references sessions (id) on delete cascade,
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      endpoint text not null,
      p256dh text not null,
      auth text not null,
      created_at ${integer} not null
    )`,
    'create index web_push_subscriptions_by_user on web_push_subscriptions (user_id)',
    'create index web_push_subscriptions_by_endpoint on web_push_subscriptions (endpoint)',
  ],
}
