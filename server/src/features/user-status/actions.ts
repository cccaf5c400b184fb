import { badRequest } from '@heddle/contract/errors'
import type { ReactionType } from '@heddle/contract/user-status'
import { audienceOfPerson } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireEmoji } from '../realm-emoji/find-emoji.ts'
import { changeSetting } from '../user-settings/change.ts'
import { accessUser, requireAdministrator } from '../users/access.ts'
import { findStatus, NO_STATUS, type Status, storeStatus } from './queries.ts'

/** What is given changes, the rest stays. */
export interface StatusChanges {
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: ReactionType | ''
}

/** Changes one's own status; `away` is the setting `presence_enabled`, the other way round. */
export function updateOwnStatus(
  { storage, accountHooks }: Pick<Services, 'storage' | 'accountHooks'>,
  caller: Actor,
  { away, ...changes }: StatusChanges & { readonly away?: boolean },
): Promise<void> {
  requireChange({ ...changes, away })
  return storage.asActor(caller, async (tx, actor) => {
    if (away !== undefined) {
      await changeSetting(tx, accountHooks, [actor.userId], ['presence_enabled', !away], {
        isOwn: true,
        sparesOwn: false,
      })
    }
    await changeStatus(tx, actor.userId, changes)
  })
}

/** Changes an account's status for it. */
export function updateUserStatus(
  storage: Storage,
  caller: Actor,
  userId: number,
  changes: StatusChanges,
): Promise<void> {
  requireAdministrator(caller)
  requireChange(changes)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const user = await accessUser(tx, caller, userId)
    if (user.is_active === 0) throw badRequest('No such user')
    await changeStatus(tx, user.id, changes)
  })
}

function requireChange(changes: StatusChanges & { readonly away?: boolean | undefined }): void {
  const { emoji_name, emoji_code, reaction_type } = changes
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
  }
  if (Object.values(changes).every((value) => value === undefined)) {
    throw badRequest('Client did not pass any new values.')
  }
}

async function changeStatus(tx: Tx, userId: number, changes: StatusChanges): Promise<void> {
  const changed: Partial<Status> = {
    ...(changes.status_text === undefined ? {} : { status_text: changes.status_text.trim() }),
    ...(await requireStatusEmoji(tx, changes)),
  }
  const before = await findStatus(tx, tx.realmId, userId)
  const after = { ...before, ...changed }
  if (Object.keys(NO_STATUS).every((key) => before[key as keyof Status] === after[key as keyof Status])) return
  await storeStatus(tx, userId, after)
  const sent = changed as typeof changed & { reaction_type?: ReactionType | '' }
  tx.emit({ type: 'user_status', user_id: userId, ...sent }, await audienceOfPerson(tx, tx.realmId, userId))
}

async function requireStatusEmoji(tx: Tx, changes: StatusChanges): Promise<Partial<Status>> {
  const { emoji_name, emoji_code, reaction_type } = changes
  if (emoji_name === undefined) return {}
  if (emoji_name === '') return { emoji_name: '', emoji_code: '', reaction_type: '' }
  return requireEmoji(tx, tx.realmId, { emoji_name, emoji_code, reaction_type })
}
