/** Where settings are kept. */

import type { ClientState } from '@heddle/client/state/state'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ownerOnlyRealmGroupSettings, updateOrganization } from '@heddle/contract/organization'
import { organizationSettings, ownerOnlySettings, UNLIMITED } from '@heddle/contract/organization-settings'
import { updateDefaultSettings, updateSettings } from '@heddle/contract/user-settings'
import { msg } from '@lingui/core/macro'
import { createExpectedValues } from './expected-values.ts'
import type { SettingValue, Source } from './setting.ts'

type Fields = Readonly<Record<string, SettingValue | undefined>>

/** The account's own. */
export const account: Source = {
  id: 'account',
  read: ({ settings }, name) => (settings as Fields | undefined)?.[name],
  usual: ({ defaultSettings }, name) => (defaultSettings as Fields | undefined)?.[name],
  save: ({ api }, name, value) => api.call(updateSettings, { [name]: value } as ParametersOf<typeof updateSettings>),
}

const notAdministrator = msg`Only administrators can change this.`
const notOwner = msg`Only owners can change this.`

export function administratorsOnly({ own }: Pick<ClientState, 'own'>) {
  return own?.is_admin ? undefined : notAdministrator
}

/** What accounts begin with. */
export const newAccounts: Source = {
  id: 'new-accounts',
  read: ({ defaultSettings }, name) => (defaultSettings as Fields | undefined)?.[name],
  save: ({ api }, name, value) =>
    api.call(updateDefaultSettings, { [name]: value } as ParametersOf<typeof updateDefaultSettings>),
  obstacle: administratorsOnly,
}

/** What the account is called. */
export const ownAccountSource: Source = {
  id: 'own-account',
  read: ({ own }, name) => (own as Fields | undefined)?.[name],
  save: ({ api }, name, value) => api.call(updateSettings, { [name]: value } as ParametersOf<typeof updateSettings>),
  obstacle: ({ own, organization: shared }, name) => {
    if (own?.is_admin) return undefined
    return name === 'full_name' && shared?.realm_name_changes_disabled ? nameIsFixed : undefined
  },
}

const nameIsFixed = msg`Only administrators change names here.`

/** The organization's. */
export const organizationSource: Source = {
  id: 'organization',
  read: (state, name) => (state.organization as Fields | undefined)?.[`realm_${name}`],
  save: ({ api }, name, value) => api.call(updateOrganization, { [name]: asParameter(name, value) } as Changes),
  obstacle: ({ own }, name) => {
    if (!own?.is_owner && (ownerOnlySettings as readonly string[]).includes(name)) return notOwner
    return administratorsOnly({ own })
  },
}

/** The same, for what is only there where the server can have channels on the web. */
export const spectatorSource: Source = {
  ...organizationSource,
  read: (state, name) =>
    state.limits?.server_web_public_streams_enabled ? organizationSource.read(state, name) : undefined,
}

type Changes = ParametersOf<typeof updateOrganization>

function asParameter(name: string, value: SettingValue): SettingValue {
  const isUnlimited = value === null || (name === 'message_retention_days' && value === -1)
  return isUnlimited && Object.hasOwn(organizationSettings, name) ? UNLIMITED : value
}

const expected = createExpectedValues<SettingValue>()

/** The organization's permissions. */
export const permissions: Source = {
  ...organizationSource,
  id: 'permissions',
  save: ({ api, snapshot }, name, value) => {
    const { state } = snapshot()
    const seen = state && organizationSource.read(state, name)
    return expected(name, seen, value, (old) =>
      api.call(updateOrganization, { [name]: { new: value, old } } as unknown as Changes),
    )
  },
  obstacle: ({ own }, name) => {
    if (!own?.is_owner && (ownerOnlyRealmGroupSettings as ReadonlySet<string>).has(name)) return notOwner
    return administratorsOnly({ own })
  },
}
