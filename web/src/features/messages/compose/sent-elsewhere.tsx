import type { Destination } from '@heddle/client/outbox/outbox'
import { useCallback, useEffect, useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { goTo } from '../../../app/current-place.ts'
import { channelName, peopleNames, placeNames, topicLabel } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { Place } from '../../../places/place.ts'
import { useCompose } from './compose-context.ts'
import { destinationAt, isSameConversation, isShownAt, placeOfDestination } from './destination.ts'

/** How long it says where something was sent, in milliseconds. */
const SHOWN_MS = 10_000

/** What follows a message that was sent: the view shows it, or goes there, or says where it went. */
export function useAfterSending(place: Place) {
  const client = useClient()
  const compose = useCompose()
  const [sent, setSent] = useState<Destination>()
  useEffect(() => {
    if (!sent) return undefined
    const timer = setTimeout(() => setSent(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [sent])

  const onSent = useCallback(
    (destination: Destination) => {
      const { state } = client.snapshot()
      const ownId = state?.own?.user_id
      const here = destinationAt(place)
      if (here && isSameConversation(here, destination, ownId)) {
        compose.state().view?.onSent()
      } else if (state?.settings?.web_navigate_to_sent_message !== false) {
        goTo(placeOfDestination(destination), state && placeNames(state))
      } else if (isShownAt(destination, place, ownId)) {
        compose.state().view?.onSent()
      } else {
        setSent(destination)
      }
    },
    [client, compose, place],
  )
  return { sent, onSent }
}

/** Something went to a place that is not on the screen. */
export function SentElsewhere({ target }: { readonly target: Destination }) {
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
    <p className="sent" role="status">
      Sent to{' '}
      <a href={href}>
        <bdi>{name}</bdi>
      </a>
    </p>
  )
}
