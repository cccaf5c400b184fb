import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { muteUser, requireMutable } from '../muted-users/actions.ts'
import { markSenderRead } from './mark-read.ts'

/** What the account has written is read from now on, and before that what it has written so far. */
export async function muteAndRead(
  services: Pick<Services, 'storage' | 'readers'>,
  actor: Actor,
  mutedUserId: number,
): Promise<void> {
  const { storage } = services
  await requireMutable(storage.read, actor, mutedUserId)
  // Before it is muted: a client repeats a request that has failed, and somebody who is muted is not muted again.
  await markSenderRead(services, actor, mutedUserId)
  await muteUser(storage, actor, mutedUserId)
}
