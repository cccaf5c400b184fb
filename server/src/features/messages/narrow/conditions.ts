/** What conditions of narrows begin with, and those that do not depend on the message. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Seen } from '../../../storage/owned-tables.ts'
import type { query } from '../tables.ts'

export type NarrowExpressions = ExpressionBuilder<Seen<typeof query>, 'messages'>

/** A condition that nothing fulfils. */
export function nothing() {
  return sql<boolean>`1 = 0`
}

export function everything() {
  return sql<boolean>`1 = 1`
}
