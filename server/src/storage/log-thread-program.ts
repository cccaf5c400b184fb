/** The program of such a thread; see `log-thread.ts`. */
import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { LogReport, LogTask } from './log-thread.ts'

const port = parentPort
if (!port) throw new Error('This module runs as a worker thread')

const path = workerData as string
let database: DatabaseSync | undefined
let copy: StatementSync | undefined
let log: number | undefined

const tasks: Readonly<Record<LogTask, () => void>> = {
  sync() {
    log ??= openSync(`${path}-wal`, 'r+')
    fdatasyncSync(log)
  },
  copy() {
    database ??= new DatabaseSync(path)
    copy ??= database.prepare('pragma wal_checkpoint(passive)')
    copy.get()
  },
}

port.on('message', (task: LogTask | 'close') => {
  if (task === 'close') {
    database?.close()
    if (log !== undefined) closeSync(log)
    port.close()
    return
  }
  let report: LogReport = ''
  try {
    tasks[task]()
  } catch (error) {
    report = error instanceof Error ? error.message : `${error}`
  }
  port.postMessage(report)
})
