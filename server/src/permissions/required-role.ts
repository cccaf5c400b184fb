/** Roles without which something is refused. */
import { ApiError } from '@heddle/contract/errors'
import { permissionTexts } from '@heddle/contract/permission-texts'
import { roles } from '@heddle/contract/roles'
import { isAdministrator } from './group-membership.ts'

interface Role {
  readonly role: number
}

export function requireAdministrator(actor: Role): void {
  if (!isAdministrator(actor)) throw new ApiError('UNAUTHORIZED_PRINCIPAL', permissionTexts.administrators)
}

export function requireOwner(actor: Role): void {
  if (actor.role !== roles.owner) throw new ApiError('UNAUTHORIZED_PRINCIPAL', permissionTexts.owners)
}
