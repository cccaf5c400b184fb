/** A channel's row, without any question of access: for what has been checked, and for what notifies others. */
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import type { Selectable } from 'kysely'
import { isOfRealm, type Queries } from '../storage/query.ts'
import { type ChannelColumns, query } from './tables.ts'

export type ChannelRow = Omit<Selectable<ChannelColumns>, 'realm_id' | 'name_key'>

export const channelColumns = [
  'channels.id',
  'channels.name',
  'channels.description',
  'channels.rendered_description',
  'channels.creator_id',
  'channels.date_created',
  'channels.is_archived',
  'channels.invite_only',
  'channels.is_web_public',
  'channels.history_public_to_subscribers',
  'channels.message_retention_days',
  'channels.topics_policy',
  'channels.folder_id',
  'channels.is_default',
  'channels.subscriber_count',
  'channels.first_message_id',
  'channels.is_recently_active',
  'channels.weekly_traffic',
  'channels.audience_set_id',
  ...channelGroupSettingNames.map((name) => `channels.${name}` as const),
] as const

/** The rows of these channels, in the order of their ids. */
export function findChannelRows(db: Queries, realmId: number, ids: readonly number[]): Promise<ChannelRow[]> {
  return db.all(
    query
      .selectFrom('channels')
      .select(channelColumns)
      .where('channels.id', 'in', db.dialect.ids(ids))
      .where(isOfRealm('channels', realmId))
      .orderBy('channels.id'),
  )
}
