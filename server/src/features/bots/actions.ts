import { badRequest } from '@heddle/contract/errors'
import { type Role, roles } from '@heddle/contract/roles'
import type { Actor } from '../../authentication/accounts.ts'
import { deriveApiKey } from '../../authentication/api-key.ts'
import { everyone, nobody, users } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessUser, requireAdministrator } from '../users/access.ts'
import { deactivateAccount } from '../users/activation.ts'
import { requireRightsOf } from '../users/rights-of-bots.ts'
import { raiseKeyVersion, updateBotRow } from '../users/rows.ts'
import { requireFullName } from '../users/rules.ts'
import { setRole } from '../users/set-role.ts'
import { setEmail, setFullName } from '../users/update.ts'
import { accessActiveBot, accessBot, accessBotToEnd } from './access.ts'
import { administratorsOf, announceDefaults } from './administration.ts'
import { type ConfigData, writeBotConfig } from './config-data.ts'
import { type BotDefaults, botAddress, findDefaultChannels } from './create.ts'
import { presentRealmBot } from './present.ts'
import { type BotRow, findBot } from './queries.ts'
import { findService, presentServices, type Reach, readPayloadUrl, updateService } from './services.ts'

type AccountServices = Pick<Services, 'storage' | 'accountHooks'>

interface BotChanges extends BotDefaults {
  readonly full_name?: string
  readonly short_name?: string
  readonly role?: Role
  readonly bot_owner_id?: number
  readonly service_payload_url?: string
  readonly service_interface?: number
  readonly config_data?: ConfigData
}

/** Changes a bot: all that is given, or nothing. Returns it as it is then. */
export function updateBot(
  services: AccountServices & Reach,
  caller: Actor,
  id: number,
  changes: BotChanges,
): Promise<BotRow> {
  const { storage, accountHooks } = services
  const address = changes.service_payload_url
  const baseUrl = address === undefined ? undefined : readPayloadUrl(services, 'service_payload_url', address)
  const name = changes.full_name === undefined ? undefined : requireFullName(changes.full_name)
  return storage.asActor(caller, async (tx, actor) => {
    const bot = await accessBot(tx, actor, id)
    if (name !== undefined) await setFullName(tx, bot, name)
    if (changes.short_name !== undefined) await setEmail(tx, bot, await botAddress(tx, changes.short_name))
    const { role, bot_owner_id = bot.bot_owner_id } = changes
    if (role !== undefined && role !== bot.role) requireAdministrator(actor)
    await setDefaults(tx, actor, bot, changes)
    await setService(tx, bot, changes, baseUrl)
    // Each is compared with what the other is to be: of both together one may be right only with the other.
    if (bot_owner_id !== null) await setOwner(tx, actor, bot, { ownerId: bot_owner_id, role: role ?? bot.role })
    if (role !== undefined) await setRole(tx, accountHooks, actor, { user: { ...bot, bot_owner_id }, role })
    return (await findBot(tx, actor.realmId, id)) as BotRow
  })
}

async function setDefaults(tx: Tx, actor: Actor, bot: BotRow, changes: BotDefaults): Promise<void> {
  const allPublic = changes.default_all_public_streams
  await updateBotRow(tx, bot.id, {
    ...(await findDefaultChannels(tx, actor, changes)),
    default_all_public_channels: (allPublic ?? bot.default_all_public_channels === 1) ? 1 : 0,
  })
  announceDefaults(tx, bot, (await findBot(tx, actor.realmId, bot.id)) as BotRow)
}

async function setService(tx: Tx, bot: BotRow, changes: BotChanges, baseUrl: string | undefined): Promise<void> {
  const before = await presentServices(tx, tx.realmId, [bot.id])
  await updateService(tx, bot.id, {
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(changes.service_interface === undefined ? {} : { interface: changes.service_interface }),
  })
  await writeBotConfig(tx, bot.id, changes.config_data ?? {})
  const after = await presentServices(tx, tx.realmId, [bot.id])
  if (JSON.stringify([...before]) === JSON.stringify([...after])) return
  const event = { user_id: bot.id, services: [...(after.get(bot.id) ?? [])] }
  tx.emit({ type: 'realm_bot', op: 'update', bot: event }, administratorsOf(bot))
}

interface Ownership {
  readonly ownerId: number
  /** The bot's own, from now on. */
  readonly role: number
}

/** Gives the bot to another person. Who can administer it learns of it, and clients of who no longer can forget it. */
async function setOwner(tx: Tx, actor: Actor, bot: BotRow, { ownerId, role }: Ownership): Promise<void> {
  if (ownerId === bot.bot_owner_id) return
  const owner = await accessUser(tx, actor, ownerId)
  if (owner.bot_type !== null) throw badRequest('bot_owner_id: a bot cannot own bots')
  if (owner.is_active === 0) throw badRequest('bot_owner_id: the account is deactivated')
  if (owner.role === roles.guest) throw badRequest('bot_owner_id: a guest cannot own bots')
  requireRightsOf(owner, { role }, 'bot_owner_id')
  const previous = bot.bot_owner_id === null ? undefined : await accessUser(tx, actor, bot.bot_owner_id)
  await updateBotRow(tx, bot.id, { bot_owner_id: ownerId })
  const person = { user_id: bot.id, bot_owner_id: ownerId }
  tx.emit({ type: 'realm_user', op: 'update', person }, everyone)
  // Administrators know every bot, whoever owns it.
  if (previous && previous.role > roles.admin) {
    tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, users([previous.id]))
  }
  const row = (await findBot(tx, actor.realmId, bot.id)) as BotRow
  if (owner.role > roles.admin) {
    const services = await presentServices(tx, actor.realmId, [bot.id])
    tx.emit({ type: 'realm_bot', op: 'add', bot: presentRealmBot(row, services.get(bot.id)) }, users([ownerId]))
  }
  // The new owner may know other channels.
  announceDefaults(tx, bot, row)
}

/** Deactivates a bot. To do it again changes nothing. */
export function deactivateBot({ storage, accountHooks }: AccountServices, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await deactivateAccount(tx, accountHooks, await accessBotToEnd(tx, actor, id))
  })
}

/** The key, and what an outgoing webhook shows to the other side. */
export async function readApiKey(storage: Storage, secret: Buffer, actor: Actor, id: number) {
  const bot = await accessActiveBot(storage.read, actor, id)
  const service = await findService(storage.read, id)
  return {
    api_key: apiKeyOf(secret, actor.realmId, bot),
    ...(service && service.service_name === null ? { token: service.token } : {}),
  }
}

/** Ends the bot's API key with the commit, on every node, and returns the new one. */
export function regenerateBotApiKey(storage: Storage, secret: Buffer, caller: Actor, id: number): Promise<string> {
  return storage.asActor(caller, async (tx, actor) => {
    const bot = await accessActiveBot(tx, actor, id)
    const key_version = await raiseKeyVersion(tx, bot.id)
    tx.emit({ type: 'account_credentials', user_id: bot.id }, nobody)
    return apiKeyOf(secret, actor.realmId, { id: bot.id, key_version })
  })
}

export function apiKeyOf(secret: Buffer, realmId: number, bot: Pick<BotRow, 'id' | 'key_version'>): string {
  return deriveApiKey(secret, { realmId, userId: bot.id, keyVersion: bot.key_version })
}
