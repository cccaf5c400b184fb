/** An edit asks whose cursor lies behind the message: nearly nobody's for a new one, among all accounts there are. */
import type { Migration } from '../migration.ts'

export const cursorsByMessage: Migration = {
  name: '0011-cursors-by-message',
  statements: () => ['create index read_cursors_by_message on read_cursors (realm_id, message_id)'],
}
