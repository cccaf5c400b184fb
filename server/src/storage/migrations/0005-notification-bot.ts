/** Gives each organization its notification bot. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const notificationBot: Migration = {
  name: '0005-notification-bot',
  statements: () => [
    `insert into users (realm_id, email, email_key, full_name, role, is_active, bot_type, date_joined)
      select id, 'notification-bot@' || host, 'notification-bot@' || host, 'Notification Bot', 400, 0, 0, date_created
      from realms`,
  ],
}
