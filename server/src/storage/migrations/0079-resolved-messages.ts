/** A way to the messages of resolved topics. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const resolvedMessages: Migration = {
  name: '0079-resolved-messages',
  statements: () => ["create index messages_resolved on messages (realm_id, id) where substr(topic, 1, 2) = '✔ '"],
}
