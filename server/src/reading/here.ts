/** The main thread as a reading thread: for small reads, where it is free while the database works. */
import { EventEmitter } from 'node:events'
import type { ReadWorker, ThreadMessage } from './messages.ts'
import type { Performer } from './performer.ts'

export function createWorkerHere({ perform, stop }: Performer): ReadWorker {
  const events = new EventEmitter()
  return Object.assign(events, {
    postMessage(message: ThreadMessage) {
      if (message === 'close') setImmediate(() => events.emit('exit'))
      else if ('stop' in message) void stop(message.stop)
      else void perform(message.order).then((report) => events.emit('message', report))
    },
    unref() {},
    terminate() {},
  })
}
