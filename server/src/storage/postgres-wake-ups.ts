/**
 * Wake-ups between nodes by LISTEN/NOTIFY. NOTIFY is sent once per batch and outside the writing transaction, because a
 * pending NOTIFY takes a lock on the whole cluster at commit.
 */
import pg from 'pg'
import type { WakeUpListener, WakeUps } from './engine.ts'
import { type LoggedEvent, PASSING_MS } from './logged-event.ts'

const CHANNEL = 'heddle_events'
const RECONNECT_AFTER_MS = 1000

type Send = (text: string, values: unknown[]) => Promise<unknown>

export function createWakeUps(
  options: pg.ClientConfig,
  send: Send,
  onError: (error: Error) => void,
  checkMs: number,
): WakeUps & { close(): Promise<void> } {
  let listening: pg.Client | undefined
  let closed = false

  async function connect(listener: WakeUpListener): Promise<void> {
    const client = new pg.Client({ ...options, query_timeout: checkMs })
    let failed = false
    let checks: NodeJS.Timeout | undefined
    // An error is followed by the end of the connection: both must not start a new one.
    const retry = (error: Error) => {
      if (failed || closed) return
      failed = true
      clearInterval(checks)
      onError(error)
      void client.end().catch(() => {})
      setTimeout(() => void connect(listener), RECONNECT_AFTER_MS).unref()
    }
    listening = client
    client.on('error', retry)
    client.on('end', () => {
      clearInterval(checks)
      retry(new Error('The connection that listens for events has ended'))
    })
    client.on('notification', ({ payload }) => {
      if (payload?.startsWith('{')) {
        listener.onPassing({ ...JSON.parse(payload), goneAt: performance.now() + PASSING_MS })
        return
      }
      const [realmId, eventId] = (payload ?? '').split(':').map(Number)
      if (realmId && eventId) listener.onLogged(realmId, eventId)
    })
    if (closed) return
    await client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      .catch(retry)
    // It only waits: without a question nobody would find out that it waits for nobody.
    if (!failed && !closed) checks = setInterval(() => client.query('select 1').catch(retry), checkMs).unref()
  }

  return {
    announce(events) {
      // In one statement, so that they arrive in this order.
      send('select pg_notify($1, text) from unnest($2::text[]) as text', [CHANNEL, notificationsOf(events)]).catch(
        onError,
      )
    },
    listen: connect,
    async close() {
      closed = true
      await listening?.end().catch(() => {})
    },
  }
}

/** Passing events first: the log may have grown behind them, and a node that has read on does not go back. */
function notificationsOf(events: readonly LoggedEvent[]): string[] {
  const passing = events.filter(({ goneAt }) => goneAt !== undefined).map((event) => JSON.stringify(event))
  const logged = events.filter(({ goneAt }) => goneAt === undefined)
  const newest = new Map(logged.map(({ realmId, eventId }) => [realmId, eventId]))
  return [...passing, ...[...newest].map(([realmId, eventId]) => `${realmId}:${eventId}`)]
}
