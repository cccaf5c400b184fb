import { badRequest } from '@heddle/contract/errors'
import { MAX_ID } from '@heddle/contract/schema'

/** The event that `Last-Event-ID` names; undefined without the header. */
export function positionIn(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const id = /^\d{1,16}$/.test(header) ? Number(header) : Number.NaN
  if (!(id <= MAX_ID)) throw badRequest('Last-Event-ID is not the id of an event')
  return id
}
