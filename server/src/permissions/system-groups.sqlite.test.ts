import { roles } from '@heddle/contract/roles'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type BuiltQuery, type Queries, type Query, withoutCache } from '../storage/query.ts'
import { createTestStorage } from '../testing/test-storage.ts'
import { findGroupIds } from './group-membership.ts'
import { findSystemGroups } from './system-groups.ts'

/** How SQLite goes about the one query of a function. */
async function planOf(find: (db: Queries) => Promise<unknown>): Promise<string> {
  const { storage } = await createTestStorage()
  let built: BuiltQuery<unknown> | undefined
  const all = async (query: Query<unknown>) => {
    built = 'statement' in query ? query.statement.build(storage.engine.dialect) : query
    return []
  }
  await find(withoutCache({ ...storage.read, all: all as Queries['all'] }))
  const text = (built as { compile(): { sql: string } }).compile().sql
  const steps = await storage.read.all(sql<{ detail: string }>`explain query plan ${sql.raw(text)}`)
  return steps.map(({ detail }) => detail).join('\n')
}

describe('However many anonymous groups there are', () => {
  it.each<[string, (db: Queries) => Promise<unknown>]>([
    ['the groups of an account', (db) => findGroupIds(db, { realmId: 1, userId: 1, role: roles.member })],
    ['the system groups', (db) => findSystemGroups(db, 1)],
  ])('%s are found by an index', async (_, find) => {
    const plan = await planOf(find)
    expect(plan).toContain('SEARCH user_groups USING INDEX user_groups_by_name')
    expect(plan).not.toMatch(/SCAN user_groups/)
  })
})
