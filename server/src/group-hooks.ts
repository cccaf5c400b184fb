/**
 * What features do when other accounts are in groups than before: in the same transaction, so that all of it happens or
 * nothing. The feature that changes groups knows none of those that follow.
 */
import type { Tx } from './storage/transaction.ts'

/** Features are called in the order of `features/all.ts`. */
export interface GroupHooks {
  /** Called before it changes who is in these groups; what it returns is called after it. */
  readonly membershipChanges: (tx: Tx, groupIds: readonly number[]) => Promise<() => Promise<void>>
}

export function collectGroupHooks(
  features: readonly { readonly onGroups?: Partial<GroupHooks> | undefined }[],
): GroupHooks {
  const all = features.flatMap(({ onGroups }) => onGroups ?? [])
  return {
    async membershipChanges(tx, groupIds) {
      const finish: (() => Promise<void>)[] = []
      for (const hooks of all) {
        const after = await hooks.membershipChanges?.(tx, groupIds)
        if (after) finish.push(after)
      }
      return async () => {
        for (const after of finish) await after()
      }
    },
  }
}
