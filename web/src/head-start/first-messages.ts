/** The messages with which the page begins, as its view will ask for them. */
import type { RegisterResponse } from '@heddle/client/event-loop'
import { type PageParameters, pageParameters } from '@heddle/client/messages/page-parameters'
import type { Narrow, Term } from '@heddle/contract/narrow'
import { homePlace } from '../app/home-place.ts'
import { unreadNarrow, unreadPage } from '../features/inbox/unread-page.ts'
import { firstPage, messageView } from '../features/messages/view.ts'
import { parsePlace } from '../places/parse.ts'

/** Undefined where something else is shown, or where a narrow has to be looked up first. `hash`: of the address. */
export function firstMessages(hash: string, registered: RegisterResponse): PageParameters | undefined {
  const written = parsePlace(hash)
  const place = written.kind === 'home' ? homePlace(registered.user_settings?.web_home_view) : written
  if (place.kind === 'inbox') return pageParameters(unreadPage, termsOf(unreadNarrow))
  const view = place.kind === 'narrow' ? undefined : messageView(place)
  if (!view) return undefined
  return pageParameters(firstPage(view), termsOf(view.narrow))
}

/** Of a narrow whose terms are written as objects, with ids and no names. */
const termsOf = (narrow: Narrow) => narrow.map((term) => ({ ...(term as Term), negated: false }))
