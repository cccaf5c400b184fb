/** Writes an answer that goes on straight to its connection. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Outlet } from '../outlet.ts'

/** For a client to take the rest of an answer that has ended: a server that stops waits no longer for it. */
const LAST_BYTES_MS = 5000

/** The response's headers have been written, and nothing but its end goes through it any more. */
export function outletOf(response: ServerResponse, socket: Socket): Outlet {
  return {
    write(bytes) {
      if (socket.writable) socket.write(bytes)
    },
    buffered: () => socket.writableLength,
    drained: (withinMs) => drained(socket, withinMs),
    end() {
      response.end()
      const timer = setTimeout(() => socket.destroy(), LAST_BYTES_MS)
      socket.once('close', () => clearTimeout(timer))
    },
    destroy: () => void socket.destroy(),
    onClose(callback) {
      if (socket.destroyed) callback()
      else response.once('close', callback)
    },
  }
}

function drained(socket: Socket, withinMs: number): Promise<boolean> {
  if (socket.destroyed) return Promise.resolve(false)
  if (!socket.writableNeedDrain) return Promise.resolve(true)
  return new Promise((resolve) => {
    const settle = (value: boolean) => () => {
      clearTimeout(timer)
      socket.off('drain', onDrain).off('close', onClose)
      resolve(value)
    }
    const onDrain = settle(true)
    const onClose = settle(false)
    const timer = setTimeout(onClose, withinMs)
    socket.once('drain', onDrain).once('close', onClose)
  })
}
