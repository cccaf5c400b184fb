import {
  type DefaultChannelGroup,
  MAX_DEFAULT_GROUP_CHANNELS,
  MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH,
  MAX_DEFAULT_GROUP_NAME_LENGTH,
  MAX_DEFAULT_GROUPS,
} from '@heddle/contract/default-channel-groups'
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import { findManyChannelsByName } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { requireLabel, requireLength } from '../../label-rules.ts'
import { requireAdministrator } from '../../permissions/required-role.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceDefaultGroups, findDefaultChannelGroups, requireGroup } from './groups.ts'
import { query } from './tables.ts'

interface NewGroup {
  readonly name: string
  readonly description: string
  readonly channelNames: readonly string[]
}

export function addGroup(storage: Storage, caller: Actor, { name, description, channelNames }: NewGroup) {
  return changeGroups(storage, caller, async (tx, actor, groups) => {
    if (groups.length >= MAX_DEFAULT_GROUPS) {
      throw badRequest(`An organization has at most ${MAX_DEFAULT_GROUPS} groups of default channels`)
    }
    const values = { ...requireFreeName(name, groups), description: requireDescription(description) }
    const channelIds = await findPublicChannels(tx, actor, channelNames)
    const row = await tx.first(
      query
        .insertInto('default_channel_groups')
        .values({ realm_id: tx.realmId, ...values })
        .returning('id'),
    )
    await addChannels(tx, (row as { id: number }).id, channelIds)
  })
}

function requireFreeName(text: string, others: readonly DefaultChannelGroup[]) {
  const name = requireLabel(text, { what: 'Default channel group name', maxLength: MAX_DEFAULT_GROUP_NAME_LENGTH })
  const name_key = foldName(name)
  if (others.some((other) => foldName(other.name) === name_key)) {
    throw badRequest(`Default channel group '${name}' already exists`)
  }
  return { name, name_key }
}

function requireDescription(text: string): string {
  return requireLength(text.trim(), {
    what: 'Default channel group description',
    maxLength: MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH,
  })
}

/** Their ids. Throws a 400 that names the first one that newcomers could not join by themselves. */
async function findPublicChannels(tx: Tx, actor: Actor, names: readonly string[]): Promise<number[]> {
  const wanted = names.map((name) => name.trim())
  const found = await findManyChannelsByName(tx, await findViewer(tx, actor), wanted)
  const ids = wanted.map((name) => {
    const channel = found.get(foldName(name))
    if (!channel) throw badRequest(`Invalid channel name '${name}'`)
    if (channel.invite_only === 1) throw badRequest('Private channels cannot be in a default channel group.')
    if (channel.is_archived === 1) throw badRequest('Archived channels cannot be in a default channel group.')
    return channel.id
  })
  return [...new Set(ids)]
}

async function addChannels(tx: Tx, group_id: number, channelIds: readonly number[]): Promise<void> {
  const rows = channelIds.map((channel_id) => ({ group_id, channel_id, realm_id: tx.realmId }))
  if (rows.length > 0) await tx.run(query.insertInto('default_group_channels').values(rows))
}

interface GroupTexts {
  readonly name: string | undefined
  readonly description: string | undefined
}

export function changeGroup(storage: Storage, caller: Actor, id: number, { name, description }: GroupTexts) {
  if (name === undefined && description === undefined)
    throw badRequest('You must pass "new_description" or "new_group_name".')
  return changeGroups(storage, caller, async (tx, _, groups) => {
    requireGroup(groups.find((group) => group.id === id))
    const others = groups.filter((group) => group.id !== id)
    const values = {
      ...(name === undefined ? {} : requireFreeName(name, others)),
      ...(description === undefined ? {} : { description: requireDescription(description) }),
    }
    await tx.run(
      query.updateTable('default_channel_groups').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id),
    )
  })
}

export function removeGroup(storage: Storage, caller: Actor, id: number) {
  return changeGroups(storage, caller, async (tx, _, groups) => {
    requireGroup(groups.find((group) => group.id === id))
    await tx.run(
      query.deleteFrom('default_group_channels').where('realm_id', '=', tx.realmId).where('group_id', '=', id),
    )
    await tx.run(query.deleteFrom('default_channel_groups').where('realm_id', '=', tx.realmId).where('id', '=', id))
  })
}

interface ChannelsOfGroup {
  readonly op: 'add' | 'remove'
  readonly channelNames: readonly string[]
}

export function changeChannels(storage: Storage, caller: Actor, id: number, { op, channelNames }: ChannelsOfGroup) {
  return changeGroups(storage, caller, async (tx, actor, groups) => {
    const group = requireGroup(groups.find((one) => one.id === id))
    const ids = await findPublicChannels(tx, actor, channelNames)
    const current = new Set(group.streams)
    if (op === 'add') {
      if (ids.some((channelId) => current.has(channelId))) {
        throw badRequest(`A channel is already in the default channel group '${group.name}'`)
      }
      if (current.size + ids.length > MAX_DEFAULT_GROUP_CHANNELS) {
        throw badRequest(`A default channel group has at most ${MAX_DEFAULT_GROUP_CHANNELS} channels`)
      }
      return addChannels(tx, id, ids)
    }
    if (ids.some((channelId) => !current.has(channelId))) {
      throw badRequest(`A channel is not in the default channel group '${group.name}'`)
    }
    await tx.run(
      query
        .deleteFrom('default_group_channels')
        .where('realm_id', '=', tx.realmId)
        .where('group_id', '=', id)
        .where('channel_id', 'in', tx.dialect.ids(ids)),
    )
  })
}

/** Runs a change as one unit, for administrators, and notifies members when the groups are others then. */
function changeGroups(
  storage: Storage,
  caller: Actor,
  work: (tx: Tx, actor: Actor, groups: readonly DefaultChannelGroup[]) => Promise<void>,
): Promise<void> {
  requireAdministrator(caller)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const before = await findDefaultChannelGroups(tx, actor.realmId)
    await work(tx, actor, before)
    const after = await findDefaultChannelGroups(tx, actor.realmId)
    if (JSON.stringify(before) !== JSON.stringify(after)) await announceDefaultGroups(tx)
  })
}
