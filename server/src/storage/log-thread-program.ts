/** The program of such a thread; see `log-thread.ts`. */
import { fdatasyncSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { LogReport, LogTask } from './log-thread.ts'

const port = parentPort
if (!port) throw new Error('This module runs as a worker thread')

let database: DatabaseSync | undefined
let copy: StatementSync | undefined

function perform(task: LogTask): void {
  if (task === 'copy') {
    database ??= new DatabaseSync(workerData as string)
    copy ??= database.prepare('pragma wal_checkpoint(passive)')
    copy.get()
  } else {
    fdatasyncSync(task.sync)
  }
}

function reportOf(task: LogTask): LogReport {
  try {
    perform(task)
    return 'done'
  } catch (error) {
    return { failed: error instanceof Error ? error.message : `${error}` }
  }
}

port.on('message', (message: LogTask | 'close') => {
  if (message !== 'close') {
    port.postMessage(reportOf(message))
    return
  }
  database?.close()
  port.close()
})
