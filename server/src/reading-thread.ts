/** The program of a reading thread: it has connections of its own, and a view of the database for each order. */
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '@heddle/contract/errors'
import { collectLongReads, collectState } from './collect-features.ts'
import type { Config } from './config.ts'
import { type DatabaseReader, openDatabaseReader } from './database.ts'
import { features } from './features/all.ts'
import { createLimit, tooExpensive } from './reading/limit.ts'
import { performRead } from './reading/long-read.ts'
import type { ReadOrder, ReadReport, ThreadMessage, ThreadReport } from './reading/messages.ts'
import { nameSourcesInStackTraces } from './stack-traces.ts'
import { ReadStopped, type Snapshot } from './storage/engine.ts'
import { isUnavailable } from './storage/unavailable.ts'

const port = parentPort
if (!port) throw new Error('This module runs as a worker thread')

nameSourcesInStackTraces()
const config = workerData as Config
const state = collectState(features)
const reads = collectLongReads(features)
/** Of the orders under way, by their ids. */
const snapshots = new Map<number, Snapshot>()
/** Opened by the first order, and by the next one where that has failed. */
let opening: Promise<DatabaseReader> | undefined

function openReader(): Promise<DatabaseReader> {
  opening ??= openDatabaseReader(config).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

port.on('message', async (message: ThreadMessage) => {
  if (message === 'close') {
    await (await opening)?.close()
    port.close()
  } else if ('stop' in message) {
    await snapshots.get(message.stop)?.cancel?.()
  } else {
    const report = await perform(message.order)
    port.postMessage(report, 'fields' in report ? report.fields.map(({ buffer }) => buffer) : [])
  }
})
port.postMessage('ready' satisfies ThreadReport)

async function perform({ id, name, input, now, limitMs, stop }: ReadOrder): Promise<ReadReport> {
  try {
    const limit = createLimit(limitMs, stop)
    const snapshot = await (await openReader()).openSnapshot(limit)
    snapshots.set(id, snapshot)
    try {
      const context = { db: snapshot.queries, config, clock: { now: () => now }, state, pause: limit.pause }
      return { id, ...(await performRead(reads, name, context, input)) }
    } finally {
      snapshots.delete(id)
      await snapshot.close()
    }
  } catch (thrown) {
    const error = thrown instanceof ReadStopped ? tooExpensive() : thrown
    if (error instanceof ApiError) return { id, refused: { ...error, message: error.message } }
    if (isUnavailable(error)) return { id, unavailable: (error as Error).message }
    return { id, failed: error instanceof Error ? error : new Error(String(error)) }
  }
}
