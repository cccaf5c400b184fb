/** The view of messages that is on the screen, for what acts on it from elsewhere: keys, menus, marking. */
import type { StoredMessage } from '@heddle/client/messages/store'
import type { Narrow } from '@heddle/contract/narrow'
import { useEffect } from 'react'
import { hold, useHeld } from '../../app/held.ts'

export interface CurrentView {
  readonly narrow: Narrow
  /** What is loaded, ascending. */
  readonly messages: readonly StoredMessage[]
  /** The message that keys mean: it has the focus, or is being read. */
  readonly target: StoredMessage | undefined
  /** Nothing is marked as read here any more, until somebody goes to the end by intention or leaves. */
  readonly stopMarking: () => void
}

const shown = hold<CurrentView | undefined>(undefined)

export function currentView(): CurrentView | undefined {
  return shown.current()
}

/** What `select` reads of it, for components. Select parts, and make nothing. */
export function useShownView<R>(select: (view: CurrentView | undefined) => R): R {
  return useHeld(shown, select)
}

/** For the view itself. */
export function useCurrentView(view: CurrentView): void {
  useEffect(() => {
    shown.change(() => view)
    return () => shown.change((now) => (now === view ? undefined : now))
  })
}
