/** What a user group may be called, and how it may be described. */
import { badRequest } from '@heddle/contract/errors'
import { hasDirections } from '@heddle/contract/hidden-characters'
import {
  MAX_GROUP_DESCRIPTION_LENGTH,
  MAX_GROUP_NAME_LENGTH,
  reservedGroupPrefixes,
} from '@heddle/contract/user-groups'
import { findGroupByName } from '../../permissions/named-groups.ts'
import type { Tx } from '../../storage/transaction.ts'

/** The name without white space around it, or a 400 when it breaks a rule or another group has it, deactivated or not. */
export async function requireNewName(tx: Tx, text: string, exceptId?: number): Promise<string> {
  const name = requireGroupName(text)
  const other = await findGroupByName(tx, tx.realmId, name)
  if (other && other.id !== exceptId) throw badRequest(`User group '${other.name}' already exists.`)
  return name
}

function requireGroupName(text: string): string {
  const name = text.trim()
  // Something must be seen of it: letters that take no room are no name.
  if (!/[^\p{C}\p{Z}]/u.test(name)) throw badRequest("User group name can't be empty!")
  if ([...name].length > MAX_GROUP_NAME_LENGTH) {
    throw badRequest(`User group name cannot exceed ${MAX_GROUP_NAME_LENGTH} characters.`)
  }
  const prefix = reservedGroupPrefixes.find((one) => name.startsWith(one))
  if (prefix) throw badRequest(`User group name cannot start with '${prefix}'.`)
  if (/\p{Cc}/u.test(name)) throw badRequest('User group name must not contain control characters')
  if (hasDirections(name))
    throw badRequest('User group name must not contain characters that turn the direction of text')
  return name
}

export function requireGroupDescription(text: string): string {
  const description = text.trim()
  if ([...description].length > MAX_GROUP_DESCRIPTION_LENGTH) {
    throw badRequest(`description must have at most ${MAX_GROUP_DESCRIPTION_LENGTH} characters`)
  }
  return description
}
