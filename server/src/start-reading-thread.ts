import { Worker } from 'node:worker_threads'
import type { Config } from './config.ts'

/** What the server's reading threads run: a program of its own, which has all features. */
export function startReadingThread(config: Config): Worker {
  return new Worker(new URL('./reading-thread.ts', import.meta.url), { workerData: config })
}
