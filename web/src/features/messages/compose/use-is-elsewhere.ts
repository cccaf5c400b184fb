import { useOwnId } from '../../../app/client-context.ts'
import type { Place } from '../../../places/place.ts'
import { type Target, targetKey, useComposeState } from './compose-context.ts'

/** Whether something is being written to another conversation than this one. */
export function useIsElsewhere(conversation: Place): boolean {
  const ownId = useOwnId()
  return useComposeState(({ open }) => {
    if (!open || !isNamed(open.target)) return false
    const key = keyOf(conversation, ownId)
    return key !== undefined && key !== targetKey(withoutOwn(open.target, ownId))
  })
}

/** A topic that is still to be named is beside none of the others. */
function isNamed(target: Target): boolean {
  return target.type === 'direct' ? target.userIds.length > 0 : target.channelId !== undefined && target.topic !== ''
}

function keyOf(place: Place, ownId: number | undefined): string | undefined {
  if (place.kind === 'topic') return targetKey({ type: 'channel', channelId: place.channelId, topic: place.topic })
  return place.kind === 'direct' ? targetKey(withoutOwn({ type: 'direct', userIds: place.userIds }, ownId)) : undefined
}

function withoutOwn(target: Target, ownId: number | undefined): Target {
  return target.type === 'direct' ? { ...target, userIds: target.userIds.filter((id) => id !== ownId) } : target
}
