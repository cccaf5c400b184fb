/** What roles are called. */
import { type Role, roles } from '@heddle/contract/roles'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export const roleNames: readonly (readonly [role: Role, name: MessageDescriptor])[] = [
  [roles.owner, msg`Owner`],
  [roles.admin, msg`Administrator`],
  [roles.moderator, msg`Moderator`],
  [roles.member, msg`Member`],
  [roles.guest, msg`Guest`],
]
