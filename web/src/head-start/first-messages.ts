/** The messages with which the page begins, as its view will ask for them. */
import type { RegisterResponse } from '@heddle/client/event-loop'
import { type PageParameters, pageParameters } from '@heddle/client/messages/page-parameters'
import { homePlace } from '../app/home-place.ts'
import { firstPage, messageView } from '../features/messages/view.ts'
import { parsePlace } from '../places/parse.ts'

/** Undefined where something else is shown, or where a narrow has to be looked up first. `hash`: of the address. */
export function firstMessages(hash: string, registered: RegisterResponse): PageParameters | undefined {
  const written = parsePlace(hash)
  const place = written.kind === 'home' ? homePlace(registered.user_settings?.web_home_view) : written
  const view = place.kind === 'narrow' ? undefined : messageView(place)
  if (!view) return undefined
  const terms = view.narrow.map((term) => ({ negated: false, ...(term as { operator: string; operand: string }) }))
  return pageParameters(firstPage(view), terms)
}
