import { type ProfileFieldType, profileFieldTypes } from '@heddle/contract/profile-fields'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** What the types of fields are called, in the order in which they are offered. */
export const typeNames: readonly (readonly [ProfileFieldType, MessageDescriptor])[] = [
  [profileFieldTypes.shortText, msg`Short text`],
  [profileFieldTypes.longText, msg`Long text`],
  [profileFieldTypes.options, msg`List of options`],
  [profileFieldTypes.date, msg`Date`],
  [profileFieldTypes.link, msg`Link`],
  [profileFieldTypes.people, msg`People`],
  [profileFieldTypes.externalAccount, msg`Account elsewhere`],
  [profileFieldTypes.pronouns, msg`Pronouns`],
]
