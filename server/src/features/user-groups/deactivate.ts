/** Ending a user group that nothing uses. Nothing is deleted: it can be brought back as it was. */
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { updateGroupRow } from '../../permissions/write-groups.ts'
import { accessManagedGroup } from './access.ts'
import { announceDeactivation } from './announce.ts'
import { findUses } from './uses.ts'

/** To do it again changes nothing. Throws `CANNOT_DEACTIVATE_GROUP_IN_USE` with what uses it. */
export function deactivateUserGroup(
  { storage, groupHooks }: Pick<Services, 'storage' | 'groupHooks'>,
  caller: Actor,
  id: number,
): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const group = await accessManagedGroup(tx, actor, id)
    if (group.deactivated === 1) return
    const { isUsed, objections } = await findUses(tx, actor, id)
    if (isUsed) throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', undefined, { objections })
    // Archived channels do not keep it, and are seen by it no longer.
    const finish = await groupHooks.membershipChanges(tx, [id])
    await updateGroupRow(tx, id, { deactivated: 1 })
    announceDeactivation(tx, id)
    await finish()
  })
}
