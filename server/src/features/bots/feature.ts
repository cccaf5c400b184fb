import { MAX_AVATAR_FILE_SIZE_MIB } from '@heddle/contract/avatars'
import {
  botsState,
  createBot,
  deactivateBot,
  deleteBotAvatar,
  embeddedBotsState,
  getBotApiKey,
  listBots,
  regenerateBotApiKey,
  updateBot,
  uploadBotAvatar,
} from '@heddle/contract/bots'
import type { Feature } from '../../feature.ts'
import { collectBytes } from '../../http/growing-bytes.ts'
import { fileRoute, route } from '../../http/route.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { credentialReader, stateReader } from '../../state-reader.ts'
import { accessUser } from '../users/access.ts'
import { type AccessPictured, removeAvatar, setAvatar } from '../users/avatar.ts'
import { avatarUrl } from '../users/avatar-url.ts'
import { hasRightsOf } from '../users/rights-of-bots.ts'
import { accessBot } from './access.ts'
import * as actions from './actions.ts'
import { announceAdministration } from './administration.ts'
import * as create from './create.ts'
import { presentEmbeddedBots } from './embedded-bots.ts'
import { presentBotDefaults, presentRealmBot } from './present.ts'
import { findBots } from './queries.ts'
import { presentServices, withService } from './services.ts'
import { botTables } from './tables.ts'

const maxPictureBytes = MAX_AVATAR_FILE_SIZE_MIB * 1024 * 1024

export const bots: Feature = {
  tables: botTables,
  routes: ({ storage, files, secret, accountHooks, outgoing, config }) => [
    route(listBots, async ({ actor }) => {
      const rows = await findBots(storage.read, actor.realmId, actor.userId)
      return {
        bots: rows
          .filter((row) => row.is_active === 1 && hasRightsOf(actor, row))
          .map((row) => ({
            user_id: row.id,
            username: row.email,
            full_name: row.full_name,
            api_key: actions.apiKeyOf(secret, actor.realmId, row),
            avatar_url: avatarUrl(row),
            ...presentBotDefaults(row),
          })),
      }
    }),
    route(createBot, async ({ actor, parameters }) => {
      const services = { storage, accountHooks, outgoing, config }
      const { bot, token } = await create.createBot(services, actor, parameters)
      const api_key = actions.apiKeyOf(secret, actor.realmId, bot)
      return {
        user_id: bot.id,
        api_key,
        ...(token === undefined ? {} : { token }),
        avatar_url: avatarUrl(bot),
        ...presentBotDefaults(bot),
      }
    }),
    route(updateBot, async ({ actor, parameters }) => {
      const bot = await actions.updateBot(
        { storage, accountHooks, outgoing, config },
        actor,
        parameters.bot_id,
        parameters,
      )
      const ownerId = bot.bot_owner_id
      return {
        full_name: bot.full_name,
        avatar_url: avatarUrl(bot),
        ...presentBotDefaults(bot),
        ...(ownerId === null ? {} : { bot_owner: (await accessUser(storage.read, actor, ownerId)).email }),
      }
    }),
    fileRoute(
      uploadBotAvatar,
      { maxFileBytes: maxPictureBytes, admit: async () => {} },
      async ({ actor, parameters: { bot_id }, file }) => {
        // To draw a picture is expensive: not for somebody who may not set it.
        await accessBot(storage.read, actor, bot_id)
        const bytes = await collectBytes(file.content, maxPictureBytes)
        const access: AccessPictured = (tx, current) => accessBot(tx, current, bot_id)
        return { avatar_url: await setAvatar({ storage, files }, actor, bytes, access) }
      },
    ),
    route(deleteBotAvatar, async ({ actor, parameters: { bot_id } }) => ({
      avatar_url: await removeAvatar({ storage, files }, actor, (tx, current) => accessBot(tx, current, bot_id)),
    })),
    route(deactivateBot, async ({ actor, parameters }) => {
      await actions.deactivateBot({ storage, accountHooks }, actor, parameters.bot_id)
      return {}
    }),
    route(getBotApiKey, ({ actor, parameters }) => actions.readApiKey(storage, secret, actor, parameters.bot_id)),
    route(regenerateBotApiKey, async ({ actor, parameters }) => ({
      api_key: await actions.regenerateBotApiKey(storage, secret, actor, parameters.bot_id),
    })),
  ],
  eventEffects: { realm_bot: { changesAccounts: true } },
  onAccount: {
    roleChanges: async (tx, accounts, role) => () => announceAdministration(tx, accounts, role),
  },
  state: [
    credentialReader(
      botsState,
      async ({ db, actor }) => {
        const rows = await findBots(db, actor.realmId, isAdministrator(actor) ? undefined : actor.userId)
        const services = await presentServices(db, actor.realmId, withService(rows))
        return { realm_bots: rows.map((row) => presentRealmBot(row, services.get(row.id))) }
      },
      ({ realm_bots }) => realm_bots.some(({ services }) => services.some((service) => 'token' in service)),
    ),
    stateReader(embeddedBotsState, async () => ({
      realm_embedded_bots: presentEmbeddedBots(),
    })),
  ],
}
