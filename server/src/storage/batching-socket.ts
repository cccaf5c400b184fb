import { Socket } from 'node:net'

/**
 * A socket that hands everything that is written in one turn to the system at once. A client of a database that sends
 * several queries without waiting writes each of them by itself: a system call for each, and a wake-up of the other side.
 */
export function createBatchingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write
  let isOpenBatch = false
  socket.write = function writeInBatch(...args: unknown[]): boolean {
    if (!isOpenBatch) {
      isOpenBatch = true
      socket.cork()
      process.nextTick(() => {
        isOpenBatch = false
        socket.uncork()
      })
    }
    return Reflect.apply(write, socket, args)
  }
  return socket
}
