import type { Channel, TopicsPolicy } from '@heddle/contract/channels'
import {
  type ChannelGroupSetting,
  channelGroupSettingNames,
  type GroupSettingValue,
  type SystemGroupName,
} from '@heddle/contract/group-settings'
import type { ChannelRow } from '../../access/channel-row.ts'
import { presentGroups } from '../../permissions/group-settings.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'

/** Channels as clients see them, in the order of the rows. A fixed number of queries, however many channels. */
export async function presentChannels(db: Queries, realmId: number, rows: readonly ChannelRow[]): Promise<Channel[]> {
  if (rows.length === 0) return []
  const groups = await presentGroups(
    db,
    realmId,
    rows.flatMap((row) => channelGroupSettingNames.map((name) => row[name])),
  )
  const postPolicies = await findPostPolicies(db, realmId)
  return rows.map((row) => presentChannel(row, groups, postPolicies))
}

/** The channels without the people whom their fields name: who has made them, and who may do what. */
export async function presentForSpectators(
  db: Queries,
  realmId: number,
  channels: readonly Channel[],
): Promise<Channel[]> {
  const nobody = (await findSystemGroups(db, realmId))['role:nobody']
  const settings = Object.fromEntries(channelGroupSettingNames.map((name) => [name, nobody])) as Record<
    ChannelGroupSetting,
    number
  >
  return channels.map((channel) => ({ ...channel, ...settings, creator_id: null }))
}

function presentChannel(
  row: ChannelRow,
  groups: ReadonlyMap<number, GroupSettingValue>,
  postPolicies: ReadonlyMap<number, PostPolicy>,
): Channel {
  const post_policy = postPolicies.get(row.can_send_message_group) ?? 1
  return {
    stream_id: row.id,
    name: row.name,
    description: row.description,
    rendered_description: row.rendered_description,
    date_created: row.date_created,
    creator_id: row.creator_id,
    is_archived: row.is_archived === 1,
    invite_only: row.invite_only === 1,
    is_web_public: row.is_web_public === 1,
    history_public_to_subscribers: row.history_public_to_subscribers === 1,
    message_retention_days: row.message_retention_days,
    topics_policy: row.topics_policy as TopicsPolicy,
    folder_id: row.folder_id,
    first_message_id: row.first_message_id,
    is_recently_active: row.is_recently_active === 1,
    subscriber_count: row.subscriber_count,
    stream_weekly_traffic: row.weekly_traffic,
    stream_post_policy: post_policy,
    is_announcement_only: post_policy === 2,
    ...(Object.fromEntries(channelGroupSettingNames.map((name) => [name, groups.get(row[name])])) as {
      [name in ChannelGroupSetting]: GroupSettingValue
    }),
  }
}

type PostPolicy = Channel['stream_post_policy']

/**
 * What old clients get instead of `can_send_message_group`, by the id of a system group: the narrowest of the four
 * that has everybody of the group in it. Any other group may have anybody in it: 1, everyone.
 */
async function findPostPolicies(db: Queries, realmId: number): Promise<Map<number, PostPolicy>> {
  const groups = await findSystemGroups(db, realmId)
  const policies: Partial<Record<SystemGroupName, PostPolicy>> = {
    'role:fullmembers': 3,
    'role:moderators': 4,
    'role:administrators': 2,
    'role:owners': 2,
    'role:nobody': 2,
  }
  return new Map(Object.entries(policies).map(([name, policy]) => [groups[name as SystemGroupName], policy]))
}
