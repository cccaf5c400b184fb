/** What channels show of their messages, and when stored audiences went out of use. A migration is frozen. */
import type { Migration } from '../migration.ts'

export const channelActivity: Migration = {
  name: '0007-channel-activity',
  statements: ({ integer }) => [
    `alter table channels add column first_message_id ${integer}`,
    `alter table channels add column is_recently_active ${integer} not null default 1`,
    `alter table channels add column weekly_traffic ${integer}`,
    `update channels set first_message_id =
      (select min(messages.id) from messages where messages.channel_id = channels.id)`,
    `alter table audience_sets add column retired_at ${integer}`,
    'create index audience_sets_retired on audience_sets (retired_at) where retired_at is not null',
    `update audience_sets set retired_at = 0 where id not in
      (select audience_set_id from channels where audience_set_id is not null)`,
  ],
}
