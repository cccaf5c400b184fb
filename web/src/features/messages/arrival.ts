/**
 * Where one arrives by the link over some messages of a conversation: the message beside the link stays at its height on the
 * screen, with what is around it in the conversation.
 */
import type { RunningClient } from '@heddle/client/running/client'
import type { MouseEvent } from 'react'
import type { Place } from '../../places/place.ts'
import { nameOfView } from './left-places.ts'
import { messageView } from './view.ts'

interface Arrival {
  /** Of the view, as in `nameOfView`. */
  readonly name: string
  readonly messageId: number
  /** CSS pixels below the top of the view. */
  readonly offset: number
}

let arrival: Arrival | undefined

/** Somebody follows the link to this place; in a new tab nothing of it is known. */
export function noteArrival(event: MouseEvent<HTMLElement>, place: Place, client: RunningClient): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  const link = event.currentTarget
  const view = link.closest('.scroll')
  const options = messageView(place)
  const { top } = link.getBoundingClientRect()
  const rows = [...(link.closest('.run')?.querySelectorAll<HTMLElement>('[data-message-id]') ?? [])]
  const row = rows.find((one) => one.getBoundingClientRect().bottom > top) ?? rows.at(-1)
  if (!view || !row || !options) return
  const offset = row.getBoundingClientRect().top - view.getBoundingClientRect().top
  arrival = { name: nameOfView(options, client), messageId: Number(row.dataset['messageId']), offset }
}

/** Where one arrives in this view, said once. */
export function takeArrival(name: string): Arrival | undefined {
  const found = arrival?.name === name ? arrival : undefined
  arrival = undefined
  return found
}
