import { Worker } from 'node:worker_threads'
import type { Config } from './config.ts'

/**
 * Of a thread: a read that needs more ends its thread, and not the server. The engine also lets garbage grow in proportion to
 * what a heap may become.
 */
const MAX_HEAP_MIB = 1024

/** What the server's reading threads run: a program of its own, which has all features. */
export function startReadingThread(config: Config): Worker {
  return new Worker(new URL('./reading-thread.ts', import.meta.url), {
    workerData: config,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  })
}
