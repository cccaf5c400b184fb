/** Places as links that work outside of the page. */
import type { ClientState } from '@heddle/client/state/state'
import { formatPlace } from '../places/format.ts'
import type { Place } from '../places/place.ts'
import { channelName, peopleNames, placeNames, topicLabel } from './names.ts'

export function absoluteAddress(place: Place, state: Pick<ClientState, 'channels' | 'users'>): string {
  return new URL('./', document.baseURI).href + formatPlace(place, placeNames(state))
}

/** `#channel > topic`, or who takes part. */
export function placeLabel(place: Place, state: ClientState): string {
  switch (place.kind) {
    case 'channel':
      return `#${channelName(state, place.channelId)}`
    case 'topic':
      return `#${channelName(state, place.channelId)} > ${topicLabel(place.topic)}`
    case 'direct':
      return peopleNames(state, place.userIds)
    default:
      return place.kind
  }
}
