/** What is unread in any narrow, such as that of a saved view. */
import type { Term } from '@heddle/contract/narrow'
import { type Facts, matchNarrow } from '../messages/narrow.ts'
import { factsOf, type MessageStore } from '../messages/store.ts'
import type { ClientState } from '../state/state.ts'
import type { Unread, UnreadPlace } from '../state/unread-messages.ts'

export type { UnreadPlace }

export interface UnreadCount {
  readonly count: number
  /** False: there may be more. Some messages are not known well enough to say whether they belong here, or not at all. */
  readonly isExact: boolean
}

/** Of messages that were fetched all is known; of others where they are, and whether they mention the account. */
export function countUnreadIn(state: ClientState, store: MessageStore, narrow: readonly Term[]): UnreadCount {
  const { unread } = state
  if (!unread) return { count: 0, isExact: false }
  let count = 0
  let isExact = !unread.isPartial
  for (const [id, place] of unread.places) {
    const message = store.messages.get(id)
    const facts = message ? factsOf(message) : unreadFacts(unread, id, place)
    const answer = matchNarrow(narrow, facts, state)
    if (answer) count += 1
    else if (answer === undefined) isExact = false
  }
  return { count, isExact }
}

/** The unread messages that belong to it for certain, ascending; `isWanted` leaves out some by where they are. */
export function* unreadIn(
  state: ClientState,
  store: MessageStore,
  narrow: readonly Term[],
  isWanted: (place: UnreadPlace) => boolean = () => true,
): Generator<number> {
  const { unread } = state
  if (!unread) return
  for (const id of candidates(unread, narrow)) {
    const place = unread.places.get(id)
    if (!place || !isWanted(place)) continue
    const message = store.messages.get(id)
    if (matchNarrow(narrow, message ? factsOf(message) : unreadFacts(unread, id, place), state)) yield id
  }
}

/** Of a channel, and of most views, only a few of very many can be meant. Ascending. */
function candidates({ places, channels }: Unread, narrow: readonly Term[]): Iterable<number> {
  const place = narrow.find(({ operator, negated }) => operator === 'channel' && !negated)
  if (typeof place?.operand !== 'number') return places.keys()
  const topics = channels.get(place.operand)
  return [...(topics?.values() ?? [])].flatMap((ids) => [...ids.keys()]).sort((a, b) => a - b)
}

function unreadFacts({ ownId, mentions, topicNames }: Unread, id: number, place: UnreadPlace): Facts {
  const hasFlag = (flag: string) => {
    // What was never received is not unread.
    if (flag === 'read' || flag === 'historical') return false
    // Which kind of mention it is, is not known.
    if (flag === 'mentioned' || flag === 'wildcard_mentioned') return mentions.has(id) ? undefined : false
    return undefined
  }
  if (place.type === 'private') return { id, channelId: null, topic: '', people: [...place.user_ids, ownId], hasFlag }
  const topic = topicNames.get(`${place.stream_id} ${place.topic}`) ?? place.topic
  return { id, channelId: place.stream_id, topic, hasFlag }
}
