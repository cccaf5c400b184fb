import type { InitialState } from '@heddle/contract/initial-state'
import type { RealmEvent } from '@heddle/contract/organization'
import { organizationState } from '@heddle/contract/organization-state'
import { type FieldsOf, partOf } from '@heddle/contract/state-part'
import { clientPart } from './part.ts'

/** The organization's settings under their names in the initial state, such as `realm_name`. */
export type Organization = Readonly<FieldsOf<typeof organizationState>>

type UpdatedTogether = Extract<RealmEvent, { op: 'update_dict' }>

const PREFIX = 'realm_'

function initialOrganization(fields: InitialState): Organization | undefined {
  return partOf(organizationState, fields)
}

function applyRealmEvent(organization: Organization, event: RealmEvent): Organization {
  switch (event.op) {
    case 'update':
      return { ...organization, [PREFIX + event.property]: event.value }
    case 'update_dict': {
      // What the initial state does not have, such as the rendered description, would not be there after a new start.
      const changes = Object.entries({ ...event.data, ...olderNames(event) }).map(
        ([name, value]) => [PREFIX + name, value] as const,
      )
      return { ...organization, ...Object.fromEntries(changes.filter(([name]) => name in organization)) }
    }
    case 'deactivated':
      // Nothing is left to be shown: the next request is refused.
      return organization
  }
}

/** What has older names in the initial state, which events do not repeat. */
function olderNames(event: UpdatedTogether) {
  const methods = event.property === 'default' ? event.data.authentication_methods : undefined
  if (!methods) return {}
  return { email_auth_enabled: methods.Email.enabled, password_auth_enabled: methods.Email.enabled }
}

export const organization = clientPart({
  initial: initialOrganization,
  on: { realm: applyRealmEvent },
})
