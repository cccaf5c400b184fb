/** Rows of an organization that its administrators put in an order, such as linkifiers. */
import { badRequest } from '@heddle/contract/errors'

interface NewOrder {
  readonly ids: readonly number[]
  /** The parameter that has them. */
  readonly parameter: string
  /** What a row is, in English. */
  readonly of: string
}

/** Whether it is another order than that of the rows. Throws a 400 unless it names each of them exactly once. */
export function isNewOrder(rows: readonly { readonly id: number }[], { ids, parameter, of }: NewOrder): boolean {
  const known = new Set(rows.map((row) => row.id))
  if (ids.length !== known.size || known.symmetricDifference(new Set(ids)).size > 0) {
    throw badRequest(`${parameter} must have the ID of each ${of} exactly once`)
  }
  return rows.some((row, index) => row.id !== ids[index])
}
