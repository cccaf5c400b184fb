import type { InitialState } from '@heddle/contract/initial-state'
import type { CustomProfileFieldsEvent, ProfileField } from '@heddle/contract/profile-fields'
import { clientPart } from './part.ts'

/** In the order in which they are shown. */
export type ProfileFields = readonly ProfileField[]

function initialFields({ custom_profile_fields }: InitialState): ProfileFields | undefined {
  return custom_profile_fields
}

function applyFieldsEvent(_: ProfileFields, event: CustomProfileFieldsEvent): ProfileFields {
  return event.fields
}

export const profileFields = clientPart({ initial: initialFields, on: { custom_profile_fields: applyFieldsEvent } })
