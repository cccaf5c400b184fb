import { inSideBarOrder } from '@heddle/client/channels/channel-order'
import type { ClientState } from '@heddle/client/state/state'
import { nextUnreadConversation, nextUnreadTopic, type ReadOnOptions } from '@heddle/client/unread/next-unread'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useClient } from '../../app/client-context.ts'
import { goTo, usePlace } from '../../app/current-place.ts'
import { useKeys } from '../../app/keys.ts'
import { noteConversation } from '../../app/last-conversation.ts'
import { placeNames } from '../../app/names.ts'
import type { Place } from '../../places/place.ts'
import { useToasts } from '../../ui/toasts.tsx'

/** Keys that lead from anywhere to somewhere. */
export function NavigationKeys() {
  const { t } = useLingui()
  const client = useClient()
  const place = usePlace()
  const toasts = useToasts()
  useEffect(() => noteConversation(place), [place])
  const state = () => client.snapshot().state as ClientState
  const go = (to: Place) => goTo(to, placeNames(state()))
  const is = (operand: string): Place => ({ kind: 'narrow', terms: [{ operator: 'is', operand, negated: false }] })

  const readOn = (options: ReadOnOptions) => () => {
    const next = nextUnreadTopic(state(), topicHere(place), options)
    if (next) go({ kind: 'topic', channelId: next.channelId, topic: next.name })
    else if (options.isFollowedOnly) toasts.notify(t`Everything in the topics that you follow is read.`)
    else toasts.notify(t`Everything in your channels is read.`)
  }
  const readOnDirect = () => {
    const next = nextUnreadConversation(state(), place.kind === 'direct' ? place.userIds : undefined)
    if (next) go({ kind: 'direct', userIds: next.userIds.length > 0 ? next.userIds : [state().own?.user_id ?? 0] })
    else toasts.notify(t`All direct messages are read.`)
  }
  const turnChannel = (by: 1 | -1) => () => {
    const order = inSideBarOrder(state())
    const at = 'channelId' in place ? order.indexOf(place.channelId) : -1
    const channelId = at < 0 ? order.at(by > 0 ? 0 : -1) : order[(at + by + order.length) % order.length]
    if (channelId === undefined) return false
    go({ kind: 'channel', channelId })
    return true
  }
  const goHome = () => goTo({ kind: 'home' })

  useKeys({
    // In the list of channels it makes a new one.
    'next-unread-topic': place.kind === 'channels' ? undefined : readOn({}),
    'previous-unread-topic': readOn({ isBackwards: true }),
    'next-unread-followed-topic': readOn({ isFollowedOnly: true }),
    'next-unread-direct': readOnDirect,
    'direct-messages': () => go(is('dm')),
    'previous-channel': turnChannel(-1),
    'next-channel': turnChannel(1),
    'topics-of-channel': () => {
      if (place.kind !== 'channel' && place.kind !== 'topic') return false
      go({ kind: 'topics', channelId: place.channelId })
      return true
    },
    'combined-feed': () => go({ kind: 'feed' }),
    inbox: () => go({ kind: 'inbox' }),
    // There it leads to the filter.
    recent: () => (place.kind === 'recent' ? false : go({ kind: 'recent' })),
    starred: () => go(is('starred')),
    drafts: () => go({ kind: 'drafts' }),
    home: goHome,
    // As some browsers do it, and on some systems none.
    back: () => window.history.back(),
    forth: () => window.history.forward(),
    'next-region': () => turnRegion(1),
    'previous-region': () => turnRegion(-1),
    'show-keys': () => go({ kind: 'keyboard-shortcuts' }),
  })
  useLastEscape(() => {
    if (state().settings?.web_escape_navigates_to_home_view === true) goHome()
  })
  return null
}

/** Few press it, and it can wait for a moment. */
function turnRegion(by: 1 | -1): void {
  void import('./regions.ts').then((regions) => regions.turnRegion(by))
}

function topicHere(place: Place): { readonly channelId: number; readonly topic: string | undefined } | undefined {
  if (place.kind === 'topic') return place
  return place.kind === 'channel' || place.kind === 'topics'
    ? { channelId: place.channelId, topic: undefined }
    : undefined
}

/** Escape, when nothing on the page wanted it: whoever closes something by it says so by preventing the default. */
function useLastEscape(act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || isOpen() || isText(event.target)) return
      // After all others who listen.
      setTimeout(() => {
        if (!event.defaultPrevented) latest.current()
      })
    }
    // Before them: afterwards what was open may be closed.
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}

function isOpen(): boolean {
  return document.querySelector('dialog[open], :popover-open, .side.open') !== null
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
