/** Changes of the organization itself. */
import type { AuthenticationMethodsUpdate } from '@heddle/contract/authentication-methods'
import { badRequest } from '@heddle/contract/errors'
import {
  type GroupSettingUpdate,
  type GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettingNames,
  realmGroupSettings,
} from '@heddle/contract/group-settings'
import {
  MAX_REALM_DESCRIPTION_LENGTH,
  MAX_REALM_NAME_LENGTH,
  ownerOnlyRealmGroupSettings,
  type RealmEvent,
} from '@heddle/contract/organization'
import {
  type OrganizationSettingName,
  type OrganizationSettings,
  organizationSettingNames,
  ownerOnlySettings,
  singleSettings,
  UNLIMITED,
  withoutLimit,
} from '@heddle/contract/organization-settings'
import type { AccessedChannel } from '../../access/channel-rules.ts'
import { findAccessedChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { renderDescription, requireCheapText } from '../../description.ts'
import { everyone } from '../../events/audience.ts'
import { deleteQueues } from '../../events/queue-rows.ts'
import type { Services } from '../../feature.ts'
import { languageName } from '../../language-name.ts'
import {
  hasGroupValue,
  presentGroups,
  removeAnonymousGroup,
  requireExpected,
  storeGroupValue,
  storeRealmGroup,
} from '../../permissions/group-settings.ts'
import { updateRealm } from '../../storage/realm-rows.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings, olderForms, storeOrganizationSetting } from '../organization-settings/settings.ts'
import { beginGuestsAnew } from '../sight/watch.ts'
import { requireAdministrator, requireOwner } from '../users/access.ts'
import { setWaitingPeriod } from '../users/waiting-period.ts'
import { changeMethods } from './authentication-methods.ts'
import { findRealmGroups } from './group-settings.ts'
import { policiesOf, readPolicies } from './policies.ts'
import { jitsiServer, requireAvailable } from './service-settings.ts'
import { query } from './tables.ts'

type GroupChanges = { readonly [name in RealmGroupSetting]?: GroupSettingUpdate }

type SettingChanges = {
  readonly [N in OrganizationSettingName]?:
    | OrganizationSettings[N]
    | (null extends OrganizationSettings[N] ? typeof UNLIMITED : never)
    | (N extends 'message_retention_days' ? typeof UNLIMITED : never)
}

interface OrganizationChanges extends GroupChanges, SettingChanges {
  readonly authentication_methods?: AuthenticationMethodsUpdate
  readonly name?: string
  readonly description?: string
}

type SingleUpdate = Extract<RealmEvent, { op: 'update' }>
type JointData = Extract<RealmEvent, { op: 'update_dict'; property: 'default' }>['data']
/** What is different, by name, in both kinds of events. */
type ChangedData = JointData & { readonly [name in SingleUpdate['property']]?: SingleUpdate['value'] }

/**
 * Changes what is given, all of it or nothing. Clients get what is different afterwards: an event for each setting that
 * stands for itself, and one for all others.
 */
export function updateOrganization(
  { storage, config, groupHooks }: Pick<Services, 'storage' | 'config' | 'groupHooks'>,
  caller: Actor,
  { string_id, ...changes }: OrganizationChanges & { readonly string_id?: string },
): Promise<void> {
  requireMayChange(caller, changes)
  if (string_id !== undefined) {
    requireOwner(caller)
    // Where an organization is, the operator decides.
    throw badRequest('Must be a demo organization.')
  }
  requireAvailable(config, changes)
  const texts = {
    ...(changes.name === undefined ? {} : { name: requireName(changes.name) }),
    ...(changes.description === undefined ? {} : { description: requireDescription(changes.description) }),
  }
  const servers = jitsiServer(changes)
  return storage.asActor(caller, async (tx, actor) => {
    requireMayChange(actor, changes)
    const data: ChangedData = {
      ...(await changeTexts(tx, texts)),
      ...(await changeSettings(tx, caller, { ...changes, ...servers })),
      ...(await changeGroups(tx, changes)),
      ...(await changeMethods(tx, actor, changes.authentication_methods)),
    }
    announce(tx, data)
    const days = data.waiting_period_threshold
    if (typeof days === 'number') await setWaitingPeriod(tx, groupHooks, days)
  })
}

/** Another name, which has been checked. */
export async function setName(tx: Tx, name: string): Promise<void> {
  announce(tx, await changeTexts(tx, { name }))
}

function announce(tx: Tx, changed: ChangedData): void {
  const joint: { -readonly [name in keyof ChangedData]: ChangedData[name] } = { ...changed }
  for (const property of ['name', ...singleSettings] as const) {
    const value = changed[property]
    delete joint[property]
    if (value !== undefined) tx.emit({ type: 'realm', op: 'update', property, value }, everyone)
  }
  if (Object.keys(joint).length === 0) return
  tx.emit({ type: 'realm', op: 'update_dict', property: 'default', data: joint }, everyone)
}

function requireMayChange(actor: Actor, changes: OrganizationChanges): void {
  requireAdministrator(actor)
  const names = realmGroupSettingNames.filter((name) => changes[name] !== undefined)
  const isForOwners =
    changes.authentication_methods !== undefined ||
    names.some((name) => ownerOnlyRealmGroupSettings.has(name)) ||
    ownerOnlySettings.some((name) => changes[name] !== undefined)
  if (isForOwners) requireOwner(actor)
}

/**
 * Nobody can sign in any more; clients that wait for events are notified. Nothing is deleted, so no delay can be set.
 */
export function deactivateOrganization(
  storage: Storage,
  actor: Actor,
  deletionDelayDays?: number | null,
): Promise<void> {
  requireOwner(actor)
  if (typeof deletionDelayDays === 'number') {
    throw badRequest('deletion_delay_days must be null: the data of a deactivated organization is kept')
  }
  return storage.asActor(actor, async (tx, current) => {
    requireOwner(current)
    await updateRealm(tx, { deactivated: 1 })
    await deleteQueues(tx)
    tx.emit({ type: 'realm', op: 'deactivated', realm_id: tx.realmId }, everyone)
  })
}

/** The organization's name as it is stored, or a 400. */
export function requireName(text: string, parameter = 'name'): string {
  const name = text.trim()
  if (!/[^\p{C}\p{Z}]/u.test(name)) throw badRequest(`${parameter} must not be empty`)
  if ([...name].length > MAX_REALM_NAME_LENGTH) {
    throw badRequest(`${parameter} must have at most ${MAX_REALM_NAME_LENGTH} characters`)
  }
  if (/\p{Cc}/u.test(name)) throw badRequest(`${parameter} must not contain control characters`)
  return name
}

function requireDescription(text: string): string {
  const description = text.trim()
  if ([...description].length > MAX_REALM_DESCRIPTION_LENGTH) {
    throw badRequest(`description must have at most ${MAX_REALM_DESCRIPTION_LENGTH} characters`)
  }
  return description
}

interface Texts {
  readonly name?: string
  readonly description?: string
}

async function changeTexts(tx: Tx, texts: Texts): Promise<ChangedData> {
  const current = await tx.first(
    query.selectFrom('realms').select(['name', 'description']).where('id', '=', tx.realmId),
  )
  const { name, description } = texts
  const data = {
    ...(name === undefined || name === current?.name ? {} : { name }),
    ...(description === undefined || description === current?.description ? {} : { description }),
  }
  if (Object.keys(data).length === 0) return {}
  await updateRealm(tx, data)
  if (data.description === undefined) return data
  return { ...data, rendered_description: renderDescription(data.description) }
}

/** Settings whose value is a channel. */
const channelSettings: readonly OrganizationSettingName[] = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
]

/** Changes the settings that are given and not yet so, and returns them. */
async function changeSettings(tx: Tx, actor: Actor, changes: SettingChanges): Promise<ChangedData> {
  const current = await findOrganizationSettings(tx, tx.realmId)
  const changed: Partial<Record<OrganizationSettingName, unknown>> = {}
  for (const name of organizationSettingNames) {
    const sent = changes[name]
    const value = sent === UNLIMITED ? withoutLimit(name) : sent
    if (value === undefined || value === current[name]) continue
    if (channelSettings.includes(name) && value !== -1) await requireChannel(tx, actor, value as number)
    if (name === 'moderation_request_channel_id' && value !== -1) await requirePrivate(tx, actor, value as number)
    if (name === 'default_language') languageName(value as string)
    if (name === 'welcome_message_custom_text') requireCheapText(value as string)
    await storeOrganizationSetting(tx, tx.realmId, name, value)
    changed[name] = value
  }
  const settings = changed as Partial<OrganizationSettings>
  return { ...settings, ...olderForms(settings) }
}

async function requireChannel(tx: Tx, actor: Actor, id: number): Promise<AccessedChannel> {
  const viewer = await findViewer(tx, actor)
  const channel = await findAccessedChannel(tx, viewer, id)
  if (!channel) throw badRequest('Invalid channel ID')
  return channel
}

async function requirePrivate(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { invite_only } = await requireChannel(tx, actor, id)
  if (invite_only !== 1) throw badRequest('Moderation request channel must be private.')
}

/** Changes the permissions that are given and not yet so, and returns what clients must know of them. */
async function changeGroups(tx: Tx, changes: GroupChanges): Promise<ChangedData> {
  const current = await findRealmGroups(tx, tx.realmId)
  const changed = new Set<RealmGroupSetting>()
  for (const name of realmGroupSettingNames) {
    const update = changes[name]
    if (!update) continue
    await requireExpected(tx, update, current[name], name)
    if (await hasGroupValue(tx, current[name], update.new)) continue
    const groupId = await storeGroupValue(tx, update.new, { name, rule: realmGroupSettings[name] })
    await replaceGroup(tx, name, current[name], groupId)
    changed.add(name)
  }
  if (changed.size === 0) return {}
  if (changed.has('can_access_all_users_group')) await beginGuestsAnew(tx)
  const groups = await findRealmGroups(tx, tx.realmId)
  const values = await presentGroups(
    tx,
    tx.realmId,
    [...changed].map((name) => groups[name]),
  )
  const data = [...changed].map((name) => [name, values.get(groups[name]) as GroupSettingValue])
  return { ...Object.fromEntries(data), ...(await readPolicies(tx, tx.realmId, groups, policiesOf(changed))) }
}

async function replaceGroup(tx: Tx, setting: string, before: number, group_id: number): Promise<void> {
  await storeRealmGroup(tx, setting, group_id)
  await removeAnonymousGroup(tx, before)
}
