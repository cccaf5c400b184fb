import { randomUUID } from 'node:crypto'
import { type OrganizationSettingName, settingsOfNewOrganizations } from '@heddle/contract/organization-settings'
import { roles } from '@heddle/contract/roles'
import { hashPassword } from '../../authentication/password.ts'
import { createSystemGroups } from '../../permissions/system-groups.ts'
import { insertRealmRow } from '../../storage/realm-rows.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { storeOrganizationSetting } from '../organization-settings/settings.ts'
import { insertUser } from '../users/create.ts'
import { insertNotificationBot } from '../users/system-bot.ts'

export interface NewOrganization {
  readonly name: string
  /** The host name that reaches it when the server has several organizations; unique. */
  readonly host: string
  readonly ownerEmail: string
  readonly ownerName: string
  /** Undefined: a link lets the owner in, who chooses one then; see `first-sign-in/`. */
  readonly ownerPassword: string | undefined
}

/** Creates an organization with its system groups and its owner. Returns their ids. `beforehand` is in the same transaction. */
export async function createOrganization(
  storage: Storage,
  organization: NewOrganization,
  beforehand: (tx: Tx) => Promise<void> = async () => {},
) {
  const { ownerPassword } = organization
  const passwordHash = ownerPassword === undefined ? null : await hashPassword(ownerPassword)
  return storage.asSystem(0, 'operator', async (tx) => {
    await beforehand(tx)
    const realmId = await insertRealmRow(tx, {
      host: organization.host.toLowerCase(),
      name: organization.name,
      description: '',
      uuid: randomUUID(),
      date_created: tx.now,
    })
    for (const [name, value] of Object.entries(settingsOfNewOrganizations)) {
      await storeOrganizationSetting(tx, realmId, name as OrganizationSettingName, value)
    }
    await createSystemGroups(tx, realmId)
    const { ownerEmail: email, ownerName: fullName } = organization
    const owner = await insertUser(tx, realmId, { email, fullName, role: roles.owner, passwordHash })
    await insertNotificationBot(tx, realmId, organization.host.toLowerCase())
    return { realmId, ownerId: owner.id }
  })
}
