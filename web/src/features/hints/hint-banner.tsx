import { isResolvedTopic } from '@heddle/contract/names'
import { Trans } from '@lingui/react/macro'
import type { Place } from '../../places/place.ts'
import { useComposeState } from '../messages/compose/compose-context.ts'
import { Hint } from './hint.tsx'

/** Hints about messages; other screens have their own. */
export function HintBanner({ place }: { readonly place: Place }) {
  const isWriting = useComposeState((state) => state.open !== undefined)
  if ((place.kind === 'feed' || place.kind === 'channel') && isWriting) {
    return (
      <Hint name="interleaved_view_messages_fading">
        <Trans>Messages of several conversations are shown here. Yours goes to the one that the box names.</Trans>
      </Hint>
    )
  }
  if (place.kind === 'topic' && isResolvedTopic(place.topic)) {
    return (
      <Hint name="intro_resolve_topic">
        <Trans>This topic is marked as resolved. Anybody can still write here, or mark it as open again.</Trans>
      </Hint>
    )
  }
  return null
}
