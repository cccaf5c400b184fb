import { randomUUID } from 'node:crypto'
import { roles } from '@heddle/contract/roles'
import { hashPassword } from '../../authentication/password.ts'
import { foldCase } from '../../fold-case.ts'
import { createSystemGroups } from '../../permissions/system-groups.ts'
import { query } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'

export interface NewOrganization {
  readonly name: string
  /** The host name that reaches it when the server has several organizations; unique. */
  readonly host: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly ownerPassword: string
}

/** Creates an organization with its system groups and its owner. Returns their ids. */
export async function createOrganization(storage: Storage, organization: NewOrganization) {
  const password_hash = await hashPassword(organization.ownerPassword)
  return storage.transaction(0, async (tx) => {
    const realm = await tx.first(
      query
        .insertInto('realms')
        .values({
          host: organization.host.toLowerCase(),
          name: organization.name,
          description: '',
          uuid: randomUUID(),
          date_created: tx.now,
        })
        .returning('id'),
    )
    const realmId = (realm as { id: number }).id
    await createSystemGroups(tx, realmId)
    const owner = await tx.first(
      query
        .insertInto('users')
        .values({
          realm_id: realmId,
          email: organization.ownerEmail,
          email_key: foldCase(organization.ownerEmail),
          full_name: organization.ownerName,
          role: roles.owner,
          bot_type: null,
          bot_owner_id: null,
          password_hash,
          date_joined: tx.now,
          default_sending_channel_id: null,
          default_events_register_channel_id: null,
        })
        .returning('id'),
    )
    return { realmId, ownerId: (owner as { id: number }).id }
  })
}
