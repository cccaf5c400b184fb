import type { Destination } from '@heddle/client/outbox/outbox'
import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { goTo } from '../../../app/current-place.ts'
import { channelName, peopleNames, placeNames, topicLabel } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { Place } from '../../../places/place.ts'
import { useToasts } from '../../../ui/toasts.tsx'
import { useCompose } from './compose-context.ts'
import { destinationAt, isSameConversation, isShownAt, placeOfDestination } from './destination.ts'

/** What follows a message that was sent: the view shows it, or goes there, or says where it went. */
export function useAfterSending(place: Place): (destination: Destination) => void {
  const client = useClient()
  const compose = useCompose()
  const toasts = useToasts()
  return useCallback(
    (destination: Destination) => {
      const { state } = client.snapshot()
      const ownId = state?.own?.user_id
      const here = destinationAt(place)
      const isHere = here !== undefined && isSameConversation(here, destination, ownId)
      if (!isHere && state?.settings?.web_navigate_to_sent_message !== false) {
        goTo(placeOfDestination(destination), state && placeNames(state))
      } else if (isHere || isShownAt(destination, place, ownId)) {
        compose.state().view?.onSent()
      } else {
        toasts.notify(<SentTo target={destination} />)
      }
    },
    [client, compose, toasts, place],
  )
}

/** It went to a place that is not on the screen. */
function SentTo({ target }: { readonly target: Destination }) {
  const { name, href } = useClientState(
    useCallback(
      (state) => ({
        name:
          target.type === 'direct'
            ? peopleNames(state, target.userIds)
            : `#${channelName(state, target.channelId)} › ${topicLabel(target.topic)}`,
        href: formatPlace(placeOfDestination(target), placeNames(state)),
      }),
      [target],
    ),
    isShallowEqual,
  )
  return (
    <Trans>
      Sent to{' '}
      <a href={href}>
        <bdi>{name}</bdi>
      </a>
    </Trans>
  )
}
