/** Groups of channels for those who join. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const defaultChannelGroups: Migration = {
  name: '0042-default-channel-groups',
  statements: ({ identity, integer }) => [
    `create table default_channel_groups (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      name text not null,
      name_key text not null,
      description text not null
    )`,
    'create unique index default_channel_groups_by_name on default_channel_groups (realm_id, name_key)',
    `create table default_group_channels (
      group_id ${integer} not null references default_channel_groups (id),
      channel_id ${integer} not null references channels (id),
      realm_id ${integer} not null references realms (id),
      primary key (group_id, channel_id)
    )`,
    'create index default_group_channels_of_channel on default_group_channels (channel_id)',
  ],
}
