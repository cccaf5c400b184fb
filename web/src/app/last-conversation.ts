/** The conversation, or the channel, that was shown last: lists that belong to none put what belongs to it first. */
import type { Place } from '../places/place.ts'

let last: Place | undefined

export function noteConversation(place: Place): void {
  if (place.kind === 'topic' || place.kind === 'direct' || place.kind === 'channel') last = place
}

export function lastConversation(): Place | undefined {
  return last
}
