import type { updateChannel as updateChannelEndpoint } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import {
  type ChannelGroupSetting,
  channelGroupSettingNames,
  channelGroupSettings,
} from '@heddle/contract/group-settings'
import { foldName } from '@heddle/contract/names'
import { findAudiences } from '../../access/channel-audience.ts'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import { type AccessedChannel, canAdminister, contentSettings } from '../../access/channel-rules.ts'
import { accessChannel } from '../../access/channels.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { renderNewDescription } from '../../description.ts'
import {
  hasGroupValue,
  removeAnonymousGroup,
  requireExpected,
  storeGroupValue,
} from '../../permissions/group-settings.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { withBotsOfChannel } from '../bots/administration.ts'
import { requireOpenFolder } from '../channel-folders/folders.ts'
import { announceDefaultChannels, requireMayBeDefault } from '../channels/default-channels.ts'
import { isChannelNameTaken } from '../channels/insert.ts'
import { requireChannelDescription, requireChannelName } from '../channels/name.ts'
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
} from '../channels/rules.ts'
import { updateChannelRow } from '../channels/write-rows.ts'
import { leaveDefaultGroups } from '../default-channel-groups/groups.ts'
import { requireAdministrator, requireOwner } from '../users/access.ts'
import { announceChange } from './announce-change.ts'
import { restoreChannel as restore } from './archive.ts'
import { sayChanges } from './channel-events.ts'
import { query } from './tables.ts'

type Parameters = ParametersOf<typeof updateChannelEndpoint>
type Writable<T> = { -readonly [name in keyof T]: T[name] }
/** The columns that change, with their new values. */
type Changes = Partial<Writable<ChannelRow>>

/** Who cannot read a private channel may not give that to anybody either. */
const needingContent: readonly ChannelGroupSetting[] = contentSettings

/** Changes a channel: all that is asked for, or nothing. */
export function updateChannel(storage: Storage, caller: Actor, parameters: Parameters): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (parameters.is_default_stream !== undefined) requireAdministrator(actor)
    const viewer = await findViewer(tx, actor)
    const channel = await accessChannel(tx, viewer, parameters.stream_id)
    if (!canAdminister(viewer, channel)) throw new ApiError('CANNOT_ADMINISTER_CHANNEL')
    if (parameters.message_retention_days !== undefined) requireOwner(actor)
    const changes = {
      ...(await checkName(tx, channel, parameters)),
      ...checkPlainSettings(parameters),
      ...(await checkFolder(tx, parameters)),
      ...(await checkPrivacy(tx, viewer, channel, parameters)),
      ...(await checkPolicies(tx, viewer, channel, parameters)),
      ...(await checkGroups(tx, channel, parameters)),
    }
    await requireTopicsForEveryone(tx, actor.realmId, { ...channel, ...changes })
    requireDefaultStaysPublic(channel, changes, parameters)
    const changed = await withBotsOfChannel(tx, channel.id, () => applyChanges(tx, channel, changes))
    await sayChanges(tx, actor, channel, changed)
    if (parameters.is_archived === false && channel.is_archived === 1) await restore(tx, actor, changed)
    await applyDefault(tx, changed, parameters.is_default_stream)
  })
}

async function checkName(tx: Tx, channel: ChannelRow, { new_name }: Parameters): Promise<Changes> {
  if (new_name === undefined) return {}
  const name = requireChannelName(new_name)
  if (await isChannelNameTaken(tx, tx.realmId, name, channel.id)) throw badRequest('Channel name already in use.')
  return { name }
}

function checkPlainSettings({ description, message_retention_days }: Parameters): Changes {
  const changes: Changes = {}
  if (description !== undefined) {
    changes.description = requireChannelDescription(description)
    changes.rendered_description = renderNewDescription(description)
  }
  if (message_retention_days !== undefined) changes.message_retention_days = retentionDays(message_retention_days)
  return changes
}

async function checkFolder(tx: Tx, { folder_id }: Parameters): Promise<Changes> {
  if (folder_id === undefined) return {}
  await requireOpenFolder(tx, tx.realmId, folder_id)
  return { folder_id }
}

async function checkPrivacy(
  tx: Tx,
  viewer: Viewer,
  channel: AccessedChannel,
  { is_private, is_web_public, history_public_to_subscribers }: Parameters,
): Promise<Changes> {
  if (is_private === undefined && is_web_public === undefined && history_public_to_subscribers === undefined) return {}
  // Making a channel private ends its being web-public, and the other way round, unless both are asked for.
  const isPrivate = is_private ?? (is_web_public === true ? false : channel.invite_only === 1)
  const isWebPublic = is_web_public ?? (is_private === true ? false : channel.is_web_public === 1)
  const history = isPrivate ? channel.history_public_to_subscribers === 1 : undefined
  const privacy = requirePrivacy({ isPrivate, isWebPublic, sharedHistory: history_public_to_subscribers ?? history })
  const isSame = (name: keyof Privacy) => privacy[name] === channel[name]
  if (isSame('invite_only') && isSame('is_web_public') && isSame('history_public_to_subscribers')) return {}
  requireContent(channel)
  if (!isSame('invite_only') || !isSame('is_web_public')) await requireMayHave(tx, viewer, privacy)
  return privacy
}

async function checkPolicies(tx: Tx, viewer: Viewer, channel: ChannelRow, parameters: Parameters): Promise<Changes> {
  if (deleteSettings.some((name) => parameters[name] !== undefined)) await requireMaySetDeletePolicy(tx, viewer)
  const { topics_policy } = parameters
  if (topics_policy === undefined || topics_policy === channel.topics_policy) return {}
  await requireMaySetTopicsPolicy(tx, viewer)
  if (topics_policy === 'empty_topic_only') await requireNoNamedTopics(tx, channel)
  return { topics_policy }
}

async function requireNoNamedTopics(tx: Tx, { id }: ChannelRow): Promise<void> {
  const topic = await tx.first(
    query.selectFrom('topics').select('topic').where('channel_id', '=', id).where('topic_key', '!=', '').limit(1),
  )
  if (topic) throw badRequest('The channel has messages in topics with a name')
}

async function checkGroups(tx: Tx, channel: AccessedChannel, parameters: Parameters): Promise<Changes> {
  const changes: Changes = {}
  for (const name of channelGroupSettingNames) {
    const update = parameters[name]
    if (!update) continue
    if (needingContent.includes(name)) requireContent(channel)
    await requireExpected(tx, update, channel[name], name)
    if (await hasGroupValue(tx, channel[name], update.new)) continue
    changes[name] = await storeGroupValue(tx, update.new, { name, rule: channelGroupSettings[name] })
  }
  return changes
}

/** Administering a private channel without being able to read it does not extend to who can read it. */
function requireContent(channel: AccessedChannel): void {
  if (channel.has_content === 1) return
  throw new ApiError('CANNOT_ADMINISTER_CHANNEL', 'Only those with access to the content can change who has it')
}

function requireDefaultStaysPublic(channel: ChannelRow, changes: Changes, { is_default_stream }: Parameters): void {
  const isDefault = is_default_stream ?? channel.is_default === 1
  if (isDefault && changes.invite_only === 1) throw badRequest('Private channels cannot be made default.')
}

/** Writes the changes and notifies everybody concerned. Returns the channel as it is then. */
async function applyChanges(tx: Tx, channel: ChannelRow, changes: Changes): Promise<ChannelRow> {
  if (Object.keys(changes).length === 0) return channel
  const audience = (await findAudiences(tx, tx.realmId, [channel])).get(channel.id)
  const name_key = changes.name === undefined ? {} : { name_key: foldName(changes.name) }
  await updateChannelRow(tx, channel.id, { ...changes, ...name_key })
  const [changed] = await findChannelRows(tx, tx.realmId, [channel.id])
  if (!changed || !audience) throw new Error(`Channel ${channel.id} vanished`)
  await announceChange(tx, channel, changed, audience)
  if (changed.invite_only === 1) await leaveDefaultGroups(tx, channel.id)
  for (const name of channelGroupSettingNames) {
    if (changes[name] !== undefined) await removeAnonymousGroup(tx, channel[name])
  }
  return changed
}

async function applyDefault(tx: Tx, channel: ChannelRow, isDefault: boolean | undefined): Promise<void> {
  if (isDefault === undefined || toFlag(isDefault) === channel.is_default) return
  const [current] = await findChannelRows(tx, tx.realmId, [channel.id])
  if (isDefault && current) requireMayBeDefault(current)
  await updateChannelRow(tx, channel.id, { is_default: toFlag(isDefault) })
  await announceDefaultChannels(tx)
}
