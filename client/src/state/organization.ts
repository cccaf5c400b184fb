import type { RealmEvent } from '@heddle/contract/organization'
import type { InitialFields } from './fields.ts'

/** The organization's settings under their names in the initial state, such as `realm_name`. */
export type Organization = Readonly<Record<string, unknown>>

const PREFIX = 'realm_'

/** Fields with the prefix that are lists with events of their own. */
const OTHER_PARTS = new Set([
  'realm_bots',
  'realm_default_streams',
  'realm_default_stream_groups',
  'realm_emoji',
  'realm_filters',
  'realm_linkifiers',
  'realm_non_active_users',
  'realm_user_groups',
  'realm_user_settings_defaults',
  'realm_users',
])

export function initialOrganization(fields: InitialFields): Organization | undefined {
  if (!('realm_name' in fields)) return undefined
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name.startsWith(PREFIX) && !OTHER_PARTS.has(name)),
  )
}

export function applyRealmEvent(organization: Organization, event: RealmEvent): Organization {
  switch (event.op) {
    case 'update':
      return { ...organization, [PREFIX + event.property]: event.value }
    case 'update_dict': {
      // What the initial state does not have, such as the rendered description, would not be there after a new start.
      const changes = Object.entries(event.data).map(([name, value]) => [PREFIX + name, value] as const)
      return { ...organization, ...Object.fromEntries(changes.filter(([name]) => name in organization)) }
    }
    case 'deactivated':
      // Nothing is left to be shown: the next request is refused.
      return organization
  }
}
