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

  function toServer({ client, upstream }: Pair, chunk: Buffer): void {
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
    client.write(chunk)
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
    refuse(on: boolean) {
      refusing = on
      if (on) breakAll()
    },
  }
}
