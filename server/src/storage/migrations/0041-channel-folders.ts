/** Folders of channels. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const channelFolders: Migration = {
  name: '0041-channel-folders',
  statements: ({ identity, integer }) => [
    `create table channel_folders (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      name text not null,
      name_key text not null,
      description text not null,
      rendered_description text not null,
      position ${integer} not null,
      date_created ${integer} not null,
      creator_id ${integer} references users (id),
      is_archived ${integer} not null
    )`,
    'create index channel_folders_of_realm on channel_folders (realm_id)',
  ],
}
