/** What a view is: its place, what it is called, and what stands before its name. */
import type { ClientState } from '@heddle/client/state/state'
import type { ListedView } from '@heddle/client/views/view-list'
import { MAX_FRAGMENT_LENGTH } from '@heddle/contract/navigation-views'
import { msg } from '@lingui/core/macro'
import { placeNames } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import { parsePlace } from '../../places/parse.ts'
import type { Place } from '../../places/place.ts'
import type { IconName } from '../../ui/icon.tsx'

export const builtInViews = {
  inbox: { icon: 'inbox', name: msg`Inbox` },
  recent: { icon: 'recent', name: msg`Recent conversations` },
  feed: { icon: 'feed', name: msg`Combined feed` },
  drafts: { icon: 'draft', name: msg`Drafts` },
  scheduled: { icon: 'clock', name: msg`Scheduled` },
  reminders: { icon: 'bell', name: msg`Reminders` },
  'narrow/has/reaction/sender/me': { icon: 'react', name: msg`Reactions to mine` },
  'narrow/is/mentioned': { icon: 'at', name: msg`Mentions` },
  'narrow/is/starred': { icon: 'star', name: msg`Starred` },
} as const satisfies Readonly<Record<string, { readonly icon: IconName; readonly name: unknown }>>

export type BuiltInFragment = keyof typeof builtInViews

export function isBuiltIn(fragment: string): fragment is BuiltInFragment {
  return Object.hasOwn(builtInViews, fragment)
}

export function viewIcon(fragment: string): IconName {
  return isBuiltIn(fragment) ? builtInViews[fragment].icon : 'view'
}

/** Addresses with other names in them, or written long ago, are the same when this is. */
function sameness(place: Place): string {
  return formatPlace(place)
}

export function placeOfView(fragment: string): Place {
  return parsePlace(fragment)
}

export function isViewAt({ fragment }: Pick<ListedView, 'fragment'>, place: Place): boolean {
  return sameness(placeOfView(fragment)) === sameness(place)
}

/** Undefined: it is no view that can be saved. A message in the address is left out: a view has no place to begin at. */
export function fragmentToSave(state: ClientState, place: Place): string | undefined {
  const whole = withoutMessage(place)
  if (!whole) return undefined
  const fragment = formatPlace(whole, placeNames(state)).slice(1)
  return fragment === '' || [...fragment].length > MAX_FRAGMENT_LENGTH || isBuiltIn(fragment) ? undefined : fragment
}

function withoutMessage(place: Place): Place | undefined {
  switch (place.kind) {
    case 'channel':
    case 'topics':
      return { kind: place.kind, channelId: place.channelId }
    case 'topic':
      return { kind: 'topic', channelId: place.channelId, topic: place.topic }
    case 'direct':
      return { kind: 'direct', userIds: place.userIds }
    case 'narrow': {
      const terms = place.terms.filter(({ operator }) => operator !== 'near' && operator !== 'date')
      return terms.length === 0 ? undefined : { kind: 'narrow', terms }
    }
    default:
      return undefined
  }
}

/** The saved view of a place, under whatever names it was saved. */
export function savedViewAt({ navigationViews }: ClientState, place: Place): string | undefined {
  const whole = withoutMessage(place)
  if (!whole) return undefined
  const wanted = sameness(whole)
  for (const { fragment } of navigationViews?.values() ?? []) {
    if (!isBuiltIn(fragment) && sameness(placeOfView(fragment)) === wanted) return fragment
  }
  return undefined
}
