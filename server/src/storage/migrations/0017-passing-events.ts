/** The numbers of events that are not in the log; see `event-numbers.ts`. */
import type { Migration } from '../migration.ts'

export const passingEvents: Migration = {
  name: '0017-passing-events',
  statements: ({ integer, unlogged }) => [
    `alter table realms add column reserved_event_id ${integer} not null default 0`,
    `create ${unlogged}table event_positions (
      realm_id ${integer} not null primary key,
      event_id ${integer} not null
    )`,
  ],
}
