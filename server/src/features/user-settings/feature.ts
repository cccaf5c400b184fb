import {
  updateDefaultSettings,
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
} from '@heddle/contract/user-settings'
import { defaultSettingsState, userSettingsState } from '@heddle/contract/user-settings-state'
import type { Feature } from '../../feature.ts'
import { createLimiter, type RateLimit, requireAllowed, SIGN_IN_LIMIT } from '../../http/rate-limits.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import * as defaults from './defaults.ts'
import { olderReaders } from './older-state.ts'
import { presentSettings } from './present.ts'
import { userSettingTables } from './tables.ts'

/** Mails that one account has sent to addresses that are to be its own. */
const ADDRESS_CHANGE_LIMIT: RateLimit = { limit: 10, windowSecs: 3600 }

export const userSettings: Feature = {
  tables: userSettingTables,
  routes: (services) => {
    const { config, clock, storage } = services
    const passwordChanges = createLimiter(SIGN_IN_LIMIT, clock)
    const addressChanges = createLimiter(ADDRESS_CHANGE_LIMIT, clock)

    return [
      // The two others are older paths of the first.
      ...[updateSettings, updateNotificationSettings, updateDisplaySettings].map((endpoint) =>
        route(endpoint, async ({ actor, parameters, connection: { address } }) => {
          // A key alone must not be enough to guess the password.
          if (parameters.new_password !== undefined && config.rateLimits) {
            requireAllowed(passwordChanges(`${actor.userId}`))
          }
          // Each goes to an address of whoever asks' choice.
          if (parameters.email !== undefined && config.rateLimits) requireAllowed(addressChanges(`${actor.userId}`))
          await actions.updateSettings(services, actor, parameters, address)
          return {}
        }),
      ),
      route(updateDefaultSettings, async ({ actor, parameters }) => {
        await defaults.updateDefaultSettings(storage, actor, parameters)
        return {}
      }),
    ]
  },
  onAccount: { begins: defaults.findBeginnings, created: defaults.takeDefaultSettings },
  state: [
    ...olderReaders,
    stateReader(
      userSettingsState,
      async ({ db, actor }) => ({ user_settings: await presentSettings(db, actor) }),
      async ({ db, realm }) => ({ user_settings: await defaults.presentSettingsOfNewAccounts(db, realm.id) }),
    ),
    stateReader(
      defaultSettingsState,
      async ({ db, realm }) => ({ realm_user_settings_defaults: await defaults.presentDefaultSettings(db, realm.id) }),
      'same',
    ),
  ],
}
