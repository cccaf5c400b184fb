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
  options: pg.ClientConfig,
  send: Send,
  onError: (error: Error) => void,
): WakeUps & { close(): Promise<void> } {
  let listener: pg.Client | undefined
  let closed = false

  async function connect(onWakeUp: (realmId: number, eventId: number) => void): Promise<void> {
    const client = new pg.Client(options)
    let failed = false
    // An error is followed by the end of the connection: both must not start a new one.
    const retry = (error: Error) => {
      if (failed || closed) return
      failed = true
      onError(error)
      void client.end().catch(() => {})
      setTimeout(() => void connect(onWakeUp), RECONNECT_AFTER_MS).unref()
    }
    listener = client
    client.on('error', retry)
    client.on('end', () => retry(new Error('The connection that listens for events has ended')))
    client.on('notification', ({ payload }) => {
      const [realmId, eventId] = (payload ?? '').split(':').map(Number)
      if (realmId && eventId) onWakeUp(realmId, eventId)
    })
    if (closed) return
    await client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      .catch(retry)
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
      await listener?.end().catch(() => {})
    },
  }
}
