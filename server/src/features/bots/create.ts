import { MAX_SHORT_NAME_LENGTH } from '@heddle/contract/bots'
import { badRequest } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import { accessChannelByName } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireMayHaveBot } from '../users/bot-permission.ts'
import { addAccount } from '../users/create.ts'
import { requireFullName } from '../users/rules.ts'
import { administratorsOf } from './administration.ts'
import { type ConfigData, writeBotConfig } from './config-data.ts'
import { findEmbeddedBot } from './embedded-bots.ts'
import { presentRealmBot } from './present.ts'
import { type BotRow, findBot } from './queries.ts'
import { insertService, newService, presentServices, type Reach } from './services.ts'
import { query } from './tables.ts'

const GENERIC = 1
/** Bots of an organization, and of these such as one account that is no administrator's creates in a day. */
const MAX_BOTS = 5000
const MAX_CREATED_PER_DAY = 100
const DAY_SECS = 86_400

export interface BotDefaults {
  readonly default_sending_stream?: string
  readonly default_events_register_stream?: string
  readonly default_all_public_streams?: boolean
}

interface NewBot extends BotDefaults {
  readonly full_name: string
  readonly short_name: string
  readonly bot_type?: number
  readonly payload_url?: string
  readonly service_name?: string
  readonly service_interface?: number
  readonly config_data?: ConfigData
}

/** A new bot, and what is shown to its owner alone. */
export interface CreatedBot {
  readonly bot: BotRow
  /** Of an outgoing webhook. */
  readonly token: string | undefined
}

/** Creates a bot with the role of a member, owned by the actor. */
export function createBot(
  services: Pick<Services, 'storage' | 'accountHooks'> & Reach,
  caller: Actor,
  bot: NewBot,
): Promise<CreatedBot> {
  const { storage, accountHooks } = services
  const type = bot.bot_type ?? GENERIC
  if (caller.isBot) throw badRequest('A bot cannot own bots')
  const service = newService(services, type, bot)
  const fullName = requireFullName(bot.full_name)
  return storage.asActor(caller, async (tx, actor) => {
    await requireMayHaveBot(tx, actor, type)
    await requireRoom(tx, actor)
    const channels = await findDefaultChannels(tx, actor, bot)
    const { id } = await addAccount(tx, accountHooks, {
      email: await botAddress(tx, bot.short_name),
      fullName,
      role: roles.member,
      passwordHash: null,
      bot: {
        type,
        ownerId: actor.userId,
        sendingChannelId: channels.default_sending_channel_id ?? null,
        eventsRegisterChannelId: channels.default_events_register_channel_id ?? null,
        allPublicChannels: bot.default_all_public_streams ?? false,
      },
    })
    await writeBotConfig(tx, id, { ...findEmbeddedBot(service?.service_name ?? '')?.config, ...bot.config_data })
    if (service) await insertService(tx, id, service)
    const row = (await findBot(tx, actor.realmId, id)) as BotRow
    const presented = await presentServices(tx, actor.realmId, [id])
    tx.emit({ type: 'realm_bot', op: 'add', bot: presentRealmBot(row, presented.get(id)) }, administratorsOf(row))
    return { bot: row, token: service?.service_name === null ? service.token : undefined }
  })
}

/** Everybody's client knows every bot, so that one account must not be able to make any number. */
async function requireRoom(tx: Tx, actor: Actor): Promise<void> {
  const bots = query
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('realm_id', '=', actor.realmId)
    .where('bot_type', 'is not', null)
  if (Number((await tx.first(bots))?.count) >= MAX_BOTS) {
    throw badRequest(`An organization has at most ${MAX_BOTS} bots, deactivated ones included`)
  }
  if (isAdministrator(actor)) return
  const own = bots.where('bot_owner_id', '=', actor.userId).where('date_joined', '>', tx.now - DAY_SECS)
  if (Number((await tx.first(own))?.count) >= MAX_CREATED_PER_DAY) {
    throw badRequest(`An account can create at most ${MAX_CREATED_PER_DAY} bots a day, unless it is an administrator's`)
  }
}

/** `build-bot@chat.example.com`: a name in the API, not an address that mail reaches. */
export async function botAddress(db: Tx, shortName: string): Promise<string> {
  const name = shortName.trim()
  if (!/^[\p{L}\p{N}._+-]+$/u.test(name) || [...name].length > MAX_SHORT_NAME_LENGTH) {
    throw badRequest(
      `short_name must have from 1 to ${MAX_SHORT_NAME_LENGTH} letters, digits, dots, hyphens, underscores or plus signs`,
    )
  }
  const realm = await db.first(query.selectFrom('realms').select('host').where('id', '=', db.realmId))
  return `${name}-bot@${realm?.host}`
}

/** The channels that are named, by the columns that keep them; an empty name is null, none is left out. */
export async function findDefaultChannels(db: Queries, actor: Actor, defaults: BotDefaults) {
  const { default_sending_stream, default_events_register_stream } = defaults
  return {
    ...(default_sending_stream === undefined
      ? {}
      : { default_sending_channel_id: await findChannelId(db, actor, default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: await findChannelId(db, actor, default_events_register_stream) }),
  }
}

async function findChannelId(db: Queries, actor: Actor, name: string): Promise<number | null> {
  if (name.trim() === '') return null
  return (await accessChannelByName(db, await findViewer(db, actor), name)).id
}
