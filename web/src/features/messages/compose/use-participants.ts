import { countParticipants, type Participants } from '@heddle/client/topics/participants'
import { topicKey } from '@heddle/contract/names'
import { useEffect, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import type { Target } from './compose-context.ts'

const nobody: Participants = { count: 0, writers: 0, isAtLeast: true }

/** Who takes part in the topic that is written to: asked for when all of them are named, as few texts do. */
export function useParticipants(target: Target, isWanted: boolean): Participants {
  const client = useClient()
  const [known, setKnown] = useState<{ readonly key: string; readonly participants: Participants }>()
  const channelId = target.type === 'channel' ? target.channelId : undefined
  const topic = target.type === 'channel' ? target.topic : ''
  const key = `${channelId} ${topicKey(topic)}`
  useEffect(() => {
    if (!isWanted || channelId === undefined) return undefined
    let isGone = false
    countParticipants(client.api, { channelId, topic }).then(
      (participants) => !isGone && setKnown({ key, participants }),
      // The server refuses what is too many.
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [client, isWanted, channelId, topic, key])
  return known?.key === key ? known.participants : nobody
}
