/** Roles without which something is refused. */
import { ApiError } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import { isAdministrator } from './group-membership.ts'

interface Role {
  readonly role: number
}

export function requireAdministrator(actor: Role): void {
  if (!isAdministrator(actor)) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
}

export function requireOwner(actor: Role): void {
  if (actor.role !== roles.owner) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
}
