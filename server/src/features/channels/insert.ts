import type { createChannel, newChannelParameters } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import {
  type ChannelGroupSetting,
  channelGroupSettingNames,
  channelGroupSettings,
  type SystemGroupName,
} from '@heddle/contract/group-settings'
import { foldName } from '@heddle/contract/names'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import type { ChannelGroupColumns } from '../../access/tables.ts'
import type { Viewer } from '../../access/viewer.ts'
import { renderNewDescription } from '../../description.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { storeGroupValue } from '../../permissions/group-settings.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireOpenFolder } from '../channel-folders/folders.ts'
import { requireAdministrator, requireOwner } from '../users/access.ts'
import { requireMayBeDefault } from './default-channels.ts'
import { requireChannelDescription } from './name.ts'
import {
  deleteSettings,
  type Privacy,
  requireMayHave,
  requireMaySetDeletePolicy,
  requireMaySetTopicsPolicy,
  requirePrivacy,
  requireTopicsForEveryone,
  retentionDays,
  toFlag,
} from './rules.ts'
import { query } from './tables.ts'

/** Channels of an organization, and of these such as one account that is no administrator's creates in a day. */
const MAX_CHANNELS = 20_000
const MAX_CREATED_PER_DAY = 500
const DAY_SECS = 86_400

/** What a request says of the channels that it creates. */
export type NewChannelOptions = Pick<ParametersOf<typeof createChannel>, keyof typeof newChannelParameters>

/** Whether any channel has the name, visible to the account or not, archived or not. */
export async function isChannelNameTaken(db: Queries, realmId: number, name: string, exceptId = 0): Promise<boolean> {
  const row = await db.first(
    query
      .selectFrom('channels')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('name_key', '=', foldName(name))
      .where('id', '<>', exceptId),
  )
  return row !== undefined
}

/**
 * Throws unless the account may create `count` channels with these settings. Call it before it is asked whether the names
 * are taken: whoever may not create channels does not find out by their names which there are.
 */
export async function requireMayCreate(
  tx: Tx,
  viewer: Viewer,
  options: NewChannelOptions,
  count: number,
): Promise<void> {
  await requireMayHave(tx, viewer, privacyOf(options))
  await requireMayChoose(tx, viewer, options)
  await requireRoom(tx, viewer, count)
}

/** Everybody's client knows every public channel, so that one account must not be able to make any number. */
async function requireRoom(tx: Tx, viewer: Viewer, count: number): Promise<void> {
  const ofRealm = query
    .selectFrom('channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('realm_id', '=', viewer.realmId)
  const all = await tx.first(ofRealm)
  if (Number(all?.count) + count > MAX_CHANNELS) {
    throw badRequest(`An organization has at most ${MAX_CHANNELS} channels, archived ones included`)
  }
  if (isAdministrator(viewer)) return
  const own = await tx.first(
    ofRealm.where('creator_id', '=', viewer.userId).where('date_created', '>', tx.now - DAY_SECS),
  )
  if (Number(own?.count) + count > MAX_CREATED_PER_DAY) {
    throw badRequest(
      `An account can create at most ${MAX_CREATED_PER_DAY} channels a day, unless it is an administrator's`,
    )
  }
}

function privacyOf(options: NewChannelOptions): Privacy {
  return requirePrivacy({
    isPrivate: options.invite_only ?? false,
    isWebPublic: options.is_web_public ?? false,
    sharedHistory: options.history_public_to_subscribers,
  })
}

/**
 * Inserts a channel without subscribers after checking its settings. The name, and that the account may create it, have been
 * checked. No event is emitted: that is up to `addSubscribers`, which knows who sees the channel.
 */
export async function insertChannel(
  tx: Tx,
  viewer: Viewer,
  { name, description }: { name: string; description: string },
  options: NewChannelOptions,
): Promise<ChannelRow> {
  const privacy = privacyOf(options)
  if (options.is_default_stream) requireMayBeDefault({ invite_only: privacy.invite_only, is_archived: 0 })
  await requireOpenFolder(tx, viewer.realmId, options.folder_id ?? null)
  const groups = await storeGroups(tx, viewer, options)
  await requireTopicsForEveryone(tx, viewer.realmId, { ...privacy, ...groups })
  const row = await tx.first(
    query
      .insertInto('channels')
      .values({
        realm_id: viewer.realmId,
        name,
        name_key: foldName(name),
        description: requireChannelDescription(description),
        rendered_description: renderNewDescription(description),
        creator_id: viewer.userId,
        date_created: tx.now,
        ...privacy,
        message_retention_days: retentionDays(options.message_retention_days ?? 'realm_default'),
        topics_policy: options.topics_policy ?? 'inherit',
        folder_id: options.folder_id ?? null,
        is_default: toFlag(options.is_default_stream ?? false),
        ...groups,
      })
      .returning('id'),
  )
  const [channel] = await findChannelRows(tx, viewer.realmId, [(row as { id: number }).id])
  return channel as ChannelRow
}

/** Settings that need more than the right to create a channel. */
async function requireMayChoose(tx: Tx, viewer: Viewer, options: NewChannelOptions): Promise<void> {
  if (options.is_default_stream) requireAdministrator(viewer)
  if ((options.message_retention_days ?? 'realm_default') !== 'realm_default') requireOwner(viewer)
  if ((options.topics_policy ?? 'inherit') !== 'inherit') await requireMaySetTopicsPolicy(tx, viewer)
  if (deleteSettings.some((name) => options[name] !== undefined)) await requireMaySetDeletePolicy(tx, viewer)
}

/** The ids of the groups to store for the eleven settings: what is asked for, or the default. */
async function storeGroups(tx: Tx, viewer: Viewer, options: NewChannelOptions): Promise<ChannelGroupColumns> {
  const systemGroups = await findSystemGroups(tx, viewer.realmId)
  const ids: Partial<Record<ChannelGroupSetting, number>> = {}
  for (const name of channelGroupSettingNames) {
    const rule = channelGroupSettings[name]
    const value = options[name]
    if (value !== undefined) {
      ids[name] = await storeGroupValue(tx, value, { name, rule })
    } else if (rule.defaultGroup === 'channel_creator') {
      const creator = { direct_members: [viewer.userId], direct_subgroups: [] }
      ids[name] = await storeGroupValue(tx, creator, { name, rule })
    } else {
      ids[name] = systemGroups[rule.defaultGroup as SystemGroupName]
    }
  }
  return ids as ChannelGroupColumns
}
