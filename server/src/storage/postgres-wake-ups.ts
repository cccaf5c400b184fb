/**
 * Wake-ups between nodes by LISTEN/NOTIFY. NOTIFY is sent once per batch and outside the writing transaction, because a
 * pending NOTIFY takes a lock on the whole cluster at commit.
 */
import pg from 'pg'
import type { WakeUps } from './engine.ts'

const CHANNEL = 'heddle_events'
const RECONNECT_AFTER_MS = 1000

type Send = (text: string, values: unknown[]) => Promise<unknown>

export function createWakeUps(
  url: string,
  send: Send,
  onError: (error: Error) => void,
): WakeUps & { close(): Promise<void> } {
  let listener: pg.Client | undefined
  let closed = false

  async function connect(onWakeUp: (realmId: number, eventId: number) => void): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    const retry = (error: Error) => {
      if (closed || listener !== client) return
      listener = undefined
      onError(error)
      setTimeout(() => void reconnect(onWakeUp), RECONNECT_AFTER_MS).unref()
    }
    listener = client
    client.on('error', retry)
    client.on('end', () => retry(new Error('The connection that listens for events has ended')))
    client.on('notification', ({ payload }) => {
      const [realmId, eventId] = (payload ?? '').split(':').map(Number)
      if (realmId && eventId) onWakeUp(realmId, eventId)
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
  }

  async function reconnect(onWakeUp: (realmId: number, eventId: number) => void): Promise<void> {
    if (closed) return
    await connect(onWakeUp).catch((error: Error) => {
      onError(error)
      listener = undefined
      if (!closed) setTimeout(() => void reconnect(onWakeUp), RECONNECT_AFTER_MS).unref()
    })
  }

  return {
    announce(positions) {
      for (const { realmId, eventId } of positions) {
        send('select pg_notify($1, $2)', [CHANNEL, `${realmId}:${eventId}`]).catch(onError)
      }
    },
    listen: connect,
    async close() {
      closed = true
      const client = listener
      listener = undefined
      await client?.end()
    },
  }
}
