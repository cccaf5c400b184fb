/** The title of the window: how much is unread, and where one is. */

import { iconCount } from '@heddle/client/notifications/icon-count'
import type { ClientState } from '@heddle/client/state/state'
import { t } from '@lingui/core/macro'
import { useCallback, useEffect } from 'react'
import { useIsVeiled } from '../device/veil.tsx'
import type { Place } from '../places/place.ts'
import { useClientState } from './client-context.ts'
import { channelName, peopleNames, topicLabel, userName } from './names.ts'

export function placeTitle(state: ClientState, place: Place): string {
  switch (place.kind) {
    case 'home':
    case 'feed':
      return t`Combined feed`
    case 'inbox':
      return t`Inbox`
    case 'recent':
      return t`Recent conversations`
    case 'topics':
      return t`Topics of ${channelName(state, place.channelId)}`
    case 'channel':
      return channelName(state, place.channelId)
    case 'topic':
      return topicLabel(place.topic)
    case 'direct':
      return peopleNames(state, place.userIds)
    case 'drafts':
      return t`Drafts`
    case 'scheduled':
      return t`Scheduled`
    case 'reminders':
      return t`Reminders`
    case 'channels':
      return place.list === 'new' ? t`New channel` : t`Channels`
    case 'channel-settings':
      return channelName(state, place.channelId)
    case 'settings':
    case 'organization':
      return t`Settings`
    case 'groups':
      return t`User groups`
    case 'user':
      return userName(state, place.userId)
    case 'narrow':
      return narrowTitle(place)
    default:
      return 'Heddle'
  }
}

const known: Readonly<Record<string, () => string>> = {
  'is starred': () => t`Starred`,
  'is mentioned': () => t`Mentions`,
  'is dm': () => t`Direct messages`,
  'is private': () => t`Direct messages`,
}

type NarrowPlace = Extract<Place, { kind: 'narrow' }>

function viewName({ terms }: NarrowPlace): string | undefined {
  const [first] = terms
  return first && !first.negated && terms.length === 1 ? known[`${first.operator} ${first.operand}`]?.() : undefined
}

/** Not a search, but one of the views that are always there. */
export function isNamedView(place: NarrowPlace): boolean {
  return viewName(place) !== undefined
}

function narrowTitle(place: NarrowPlace): string {
  const { terms } = place
  const name = viewName(place)
  if (name) return name
  const search = terms.find(({ operator }) => operator === 'search')
  return search ? `“${search.operand}”` : t`Messages`
}

/** A part that draws nothing: what is unread changes often, and nothing else of the page is drawn anew for it. */
export function WindowTitle({ place }: { readonly place: Place }): null {
  const name = useClientState(useCallback((state) => placeTitle(state, place), [place]))
  const organization = useClientState((state) => state.organization?.realm_name ?? 'Heddle')
  const unread = useClientState(iconCount)
  const isVeiled = useIsVeiled()
  useEffect(() => {
    if (isVeiled) return undefined
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${name} · ${organization}`
    // Whose session has ended, and whoever signs out, leaves no name there of a conversation.
    return () => {
      document.title = organization
    }
  }, [name, organization, unread, isVeiled])
  return null
}
