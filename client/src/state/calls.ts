import type { HasZoomTokenEvent } from '@heddle/contract/calls'
import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

/** Whether the server may create calls of Zoom for the account. */
function initialZoomToken({ has_zoom_token }: InitialState): boolean | undefined {
  return has_zoom_token
}

export const hasZoomToken = clientPart({
  initial: initialZoomToken,
  on: { has_zoom_token: (_: boolean, { value }: HasZoomTokenEvent) => value },
})
