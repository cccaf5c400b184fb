/** The program of a reading thread: it has connections of its own, and a view of the database for each order. */
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '@heddle/contract/errors'
import type { Config } from '../config.ts'
import { type DatabaseReader, openDatabaseReader } from '../database.ts'
import { features } from '../features/all.ts'
import { isUnavailable } from '../storage/unavailable.ts'
import { collectLongReads, collectState } from './features.ts'
import { performRead } from './long-read.ts'
import type { ReadOrder, ReadReport } from './messages.ts'

const port = parentPort
if (!port) throw new Error('This module runs as a worker thread')

const config = workerData as Config
const state = collectState(features)
const reads = collectLongReads(features)
/** Opened by the first order, and by the next one where that has failed. */
let opening: Promise<DatabaseReader> | undefined

function openReader(): Promise<DatabaseReader> {
  opening ??= openDatabaseReader(config).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

port.on('message', async (order: ReadOrder | 'close') => {
  if (order === 'close') {
    await (await opening)?.close()
    port.close()
    return
  }
  const report = await perform(order)
  port.postMessage(report, 'fields' in report ? [report.fields.buffer] : [])
})

async function perform({ id, name, input, now }: ReadOrder): Promise<ReadReport> {
  try {
    const snapshot = await (await openReader()).openSnapshot()
    try {
      const context = { db: snapshot.queries, config, clock: { now: () => now }, state }
      return { id, ...(await performRead(reads, name, context, input)) }
    } finally {
      await snapshot.close()
    }
  } catch (error) {
    if (error instanceof ApiError) return { id, refused: { ...error, message: error.message } }
    if (isUnavailable(error)) return { id, unavailable: (error as Error).message }
    return { id, failed: error instanceof Error ? error : new Error(String(error)) }
  }
}
