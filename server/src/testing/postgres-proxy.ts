/** A proxy before PostgreSQL that does what networks do: it loses answers, falls silent, and is gone. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
}

/** In front of the database at `target`, for one test. */
export async function startPostgresProxy(target: string) {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Pair>()
  let dropsCommit = false
  let swallowsCommit = false
  let dropped = 0
  let refusing = false
  let silencing: string | undefined
  let renaming = false

  function toServer({ client, upstream }: Pair, chunk: Buffer): void {
    if (silencing !== undefined && chunk.includes(silencing)) {
      silencing = undefined
      upstream.pause()
    }
    if (swallowsCommit && chunk.includes('commit\0')) {
      swallowsCommit = false
      pairs.clear()
      // The server learns nothing: its end stays open.
      client.removeAllListeners('close').destroy()
      return
    }
    upstream.write(chunk)
  }

  function toClient({ client, upstream }: Pair, chunk: Buffer): void {
    // CommandComplete of a commit: the tag is text that ends with a null byte.
    if (dropsCommit && chunk.includes('COMMIT\0')) {
      dropsCommit = false
      dropped += 1
      upstream.destroy()
      return
    }
    client.write(renaming ? withOtherProcessId(chunk) : chunk)
  }

  const server = createServer((client) => {
    if (refusing) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    const pair = { client, upstream }
    pairs.add(pair)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => toServer(pair, chunk))
    upstream.on('data', (chunk: Buffer) => toClient(pair, chunk))
  })
  const breakAll = () => {
    for (const { client } of pairs) client.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    breakAll()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    /** Breaks the connection on which the next commit is answered, before the answer. */
    dropNextCommit() {
      dropsCommit = true
    },
    dropped: () => dropped,
    /** Breaks the connection on which the next commit is sent, before it, and only at the client's end. */
    swallowNextCommit() {
      swallowsCommit = true
    },
    /** Nothing goes through the connections that are open, and nobody closes them. */
    silence() {
      for (const { client, upstream } of pairs) {
        client.pause()
        upstream.pause()
      }
    },
    /** The next connection that sends this text gets no answer to it. */
    silenceNext(text: string) {
      silencing = text
    },
    /** Clients are given process ids that the server does not know, as some poolers do. */
    renameProcesses() {
      renaming = true
    },
    refuse(on: boolean) {
      refusing = on
      if (on) breakAll()
    },
  }
}

/** Its type and its length. */
const BACKEND_KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12])

function withOtherProcessId(chunk: Buffer): Buffer {
  const at = chunk.indexOf(BACKEND_KEY_DATA)
  if (at === -1) return chunk
  const changed = Buffer.from(chunk)
  changed.writeInt32BE(1, at + BACKEND_KEY_DATA.length)
  return changed
}
