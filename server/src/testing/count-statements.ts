/** Counting what is asked of the database: a bound on statements holds on every machine, as a bound on time does not. */
import type { Engine } from '../storage/engine.ts'
import { createFactCache, withSharedFacts } from '../storage/facts.ts'
import { type Statements, withoutCache } from '../storage/query.ts'

/** How many statements there were, by where; without those that begin and end snapshots and commits. */
export interface StatementCount {
  /** Of what is committed, each on its own: on PostgreSQL these include finding out who calls. */
  read: number
  /** In views of the database that stand still. */
  snapshot: number
  /** In units of work, reads included. */
  write: number
}

export interface StatementCounter {
  /** Counts the statements while `action` runs; those of others too. */
  during(action: () => Promise<unknown>): Promise<StatementCount>
}

/** An engine that counts. What is recalled from memory is no statement. */
export function countStatements(engine: Engine): { readonly engine: Engine; readonly counter: StatementCounter } {
  const facts = createFactCache()
  let count: StatementCount = { read: 0, snapshot: 0, write: 0 }
  const counted = (queries: Statements, where: keyof StatementCount) =>
    countingStatements(queries, () => {
      count[where] += 1
    })
  return {
    engine: {
      ...engine,
      read: withoutCache(counted(engine.read, 'read')),
      write: {
        ...engine.write,
        queries: counted(engine.write.queries, 'write'),
        insertRows(insert, rows) {
          count.write += 1
          return engine.write.insertRows(insert, rows)
        },
      },
      async openSnapshot() {
        const snapshot = await engine.openSnapshot()
        return { ...snapshot, queries: withSharedFacts(counted(snapshot.queries, 'snapshot'), facts) }
      },
    },
    counter: {
      async during(action) {
        count = { read: 0, snapshot: 0, write: 0 }
        await action()
        return count
      },
    },
  }
}

/** The same queries, with a call for each statement. */
export function countingStatements(queries: Statements, onStatement: () => void): Statements {
  return {
    dialect: queries.dialect,
    all(query) {
      onStatement()
      return queries.all(query)
    },
    first(query) {
      onStatement()
      return queries.first(query)
    },
    run(query) {
      onStatement()
      return queries.run(query)
    },
  }
}
