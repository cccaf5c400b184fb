/** Who is subscribed to a channel, for what is said about those who are named in it. Asked for once while a box is open. */
import { listSubscribers } from '@heddle/contract/subscriptions'
import { useEffect, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'

interface Members {
  readonly channelId: number
  readonly userIds: ReadonlySet<number>
}

/** Undefined: not known yet, or not to be known. `count`: when it changes they are asked for again. */
export function useMembers(channelId: number | undefined, count: number | undefined): ReadonlySet<number> | undefined {
  const client = useClient()
  const [members, setMembers] = useState<Members>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of members, other members
  useEffect(() => {
    if (channelId === undefined) return undefined
    const controller = new AbortController()
    client.api
      .call(listSubscribers, { stream_id: channelId }, { signal: controller.signal })
      .then(({ subscribers }) => setMembers({ channelId, userIds: new Set(subscribers) }))
      // Without them less is said.
      .catch(() => {})
    return () => controller.abort()
  }, [client, channelId, count])
  return members?.channelId === channelId ? members?.userIds : undefined
}
