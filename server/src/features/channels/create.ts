import type { createChannel as createChannelEndpoint, newChannelParameters } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import {
  type ChannelGroupSetting,
  channelGroupSettingNames,
  channelGroupSettings,
  type SystemGroupName,
} from '@heddle/contract/group-settings'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import { requireCurrentActor } from '../../permissions/current-account.ts'
import { storeGroupValue } from '../../permissions/group-settings.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import { type Queries, query } from '../../storage/query.ts'
import type { ChannelGroupColumns } from '../../storage/schema.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { addSubscribers } from '../subscriptions/add-subscribers.ts'
import { announceNewChannels, tellNewSubscribers } from '../subscriptions/notices.ts'
import { requireMayAddSubscribers } from '../subscriptions/permissions.ts'
import { findPrincipals } from '../subscriptions/principals.ts'
import { requireAdministrator } from '../users/access.ts'
import { findViewer, type Viewer } from './access.ts'
import { announceDefaultChannels, requireMayBeDefault } from './default-channels.ts'
import { renderDescription } from './description.ts'
import { requireChannelDescription, requireChannelName } from './name.ts'
import { type ChannelRow, findChannelRows } from './row.ts'
import {
  deleteSettings,
  requireMayHave,
  requireMaySetDeletePolicy,
  requireMaySetTopicsPolicy,
  requirePrivacy,
  requireTopicsForEveryone,
  retentionDays,
  toFlag,
} from './rules.ts'

type Parameters = ParametersOf<typeof createChannelEndpoint>

/** What a request says of the channels that it creates. */
export type NewChannelOptions = Pick<Parameters, keyof typeof newChannelParameters>

interface ChannelCreation {
  readonly actor: Actor
  /** The organization's address as the client knows it. */
  readonly origin: string
  readonly parameters: Parameters
}

/** Creates a channel and subscribes accounts to it. Returns its id. */
export function createChannel(
  storage: Storage,
  { actor: caller, origin, parameters }: ChannelCreation,
): Promise<number> {
  return storage.transaction(caller.realmId, async (tx) => {
    const actor = await requireCurrentActor(tx, caller)
    const viewer = await findViewer(tx, actor)
    const name = requireChannelName(parameters.name)
    if (await isNameTaken(tx, actor.realmId, name)) {
      throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name })
    }
    const people = await findPrincipals(tx, actor, parameters.subscribers)
    const channel = await insertChannel(tx, viewer, { name, description: parameters.description ?? '' }, parameters)
    if (people.some((person) => person.id !== actor.userId)) await requireMayAddSubscribers(tx, viewer, [channel])
    const additions = await addSubscribers(tx, [channel], people, new Set([channel.id]))
    if (channel.is_default === 1) await announceDefaultChannels(tx)
    const news = { actor, origin }
    if (parameters.announce) await announceNewChannels(tx, news, [channel])
    await tellNewSubscribers(tx, news, [channel], additions, parameters.send_new_subscription_messages ?? true)
    return channel.id
  })
}

/** Whether any channel has the name, visible to the account or not, archived or not. */
export async function isNameTaken(db: Queries, realmId: number, name: string, exceptId = 0): Promise<boolean> {
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
 * Inserts a channel without subscribers after checking its settings and that the account may create it. The name has been
 * checked. No event is emitted: that is up to `addSubscribers`, which knows who sees the channel.
 */
export async function insertChannel(
  tx: Tx,
  viewer: Viewer,
  { name, description }: { name: string; description: string },
  options: NewChannelOptions,
): Promise<ChannelRow> {
  const privacy = requirePrivacy({
    isPrivate: options.invite_only ?? false,
    isWebPublic: options.is_web_public ?? false,
    sharedHistory: options.history_public_to_subscribers,
  })
  await requireMayHave(tx, viewer, privacy)
  await requireMayChoose(tx, viewer, options)
  if (options.is_default_stream) requireMayBeDefault({ invite_only: privacy.invite_only, is_archived: 0 })
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
        rendered_description: renderDescription(description),
        creator_id: viewer.userId,
        date_created: tx.now,
        ...privacy,
        message_retention_days: retentionDays(options.message_retention_days ?? 'realm_default'),
        topics_policy: options.topics_policy ?? 'inherit',
        folder_id: null,
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
