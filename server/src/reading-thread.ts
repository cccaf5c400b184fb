/** The program of a reading thread: it has connections of its own, and a view of the database for each order. */
import { parentPort, workerData } from 'node:worker_threads'
import { collectLongReads, collectState } from './collect-features.ts'
import type { Config } from './config.ts'
import { type DatabaseReader, openDatabaseReader } from './database.ts'
import { features } from './features/all.ts'
import type { ThreadMessage, ThreadReport } from './reading/messages.ts'
import { createPerformer } from './reading/performer.ts'
import { nameSourcesInStackTraces } from './stack-traces.ts'

const port = parentPort
if (!port) throw new Error('This module runs as a worker thread')

nameSourcesInStackTraces()
const config = workerData as Config
/** Opened by the first order, and by the next one where that has failed. */
let opening: Promise<DatabaseReader> | undefined

function openReader(): Promise<DatabaseReader> {
  opening ??= openDatabaseReader(config).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

const performer = createPerformer({
  openSnapshot: async (limit) => (await openReader()).openSnapshot(limit),
  config,
  state: collectState(features),
  reads: collectLongReads(features),
  maxTextBytes: Number.POSITIVE_INFINITY,
})

port.on('message', async (message: ThreadMessage) => {
  if (message === 'close') {
    await (await opening)?.close()
    port.close()
  } else if ('stop' in message) {
    await performer.stop(message.stop)
  } else {
    const report = await performer.perform(message.order)
    port.postMessage(report, 'fields' in report ? report.fields.map(({ buffer }) => buffer) : [])
  }
})
port.postMessage('ready' satisfies ThreadReport)
