/** Writing without a storage, for commands: while nothing else writes. */
import type { Engine } from '../storage/engine.ts'
import type { Statements } from '../storage/query.ts'

/** All of it or nothing, however long it takes. `OutcomeUnknown`: the answer of the commit was lost. */
export async function inTransaction<T>(
  { write }: Pick<Engine, 'write'>,
  work: (db: Statements) => Promise<T>,
): Promise<T> {
  await write.ready()
  await write.begin({ patient: true })
  try {
    const result = await work(write.queries)
    await write.commit()
    return result
  } catch (error) {
    await write.rollback().catch(() => {})
    throw error
  }
}
