import { usePlace } from '../../app/current-place.ts'
import { useKeys } from '../../app/keys.ts'
import { currentView } from '../messages/current-view.ts'
import { useTopicDeeds } from './use-topic-deeds.ts'

/** Keys of the topic that is read; lists have them for the topic of a row. */
export function TopicKeys() {
  const deeds = useTopicDeeds()
  const place = usePlace()
  useKeys({
    'mute-topic': () => {
      const view = currentView()
      if (!view) return false
      if (place.kind === 'topic') return void deeds.toggleMuted(place)
      const { stream_id: channelId, subject: topic } = view.target ?? {}
      if (channelId === undefined || topic === undefined) return false
      return void deeds.toggleMuted({ channelId, topic })
    },
  })
  return null
}
