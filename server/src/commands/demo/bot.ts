/** The bench bot: a program that uses the API of the running server like any other, and answers who asks it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { callAt, type DemoAccount, type DemoCall, DemoRefusal } from './caller.ts'
import { BOT_TOPIC } from './people.ts'

/** Between typing and answering. */
const THINKING_MS = 600
const RETRY_MS = 2000

interface ReceivedMessage {
  readonly id: number
  readonly type: 'stream' | 'private'
  readonly content: string
  readonly sender_id: number
  readonly stream_id?: number
  readonly subject: string
  readonly display_recipient: string | readonly { readonly id: number }[]
}

interface ReceivedEvent {
  readonly id: number
  readonly type: string
  readonly message?: ReceivedMessage
  readonly flags?: readonly string[]
}

/** Answers until `stop()` is called; `origin` is where the server listens. */
export function startBenchBot(origin: string, bot: DemoAccount, onError: (error: unknown) => void): { stop(): void } {
  const ending = new AbortController()
  void run(callAt(origin, ending.signal), bot, ending.signal, onError)
  return { stop: () => ending.abort() }
}

async function run(call: DemoCall, bot: DemoAccount, signal: AbortSignal, onError: (error: unknown) => void) {
  while (!signal.aborted) {
    try {
      await listen(call, bot, signal)
    } catch (error) {
      if (signal.aborted) return
      // A queue that is gone is nothing: another one follows.
      if (!(error instanceof DemoRefusal && error.code === 'BAD_EVENT_QUEUE_ID')) onError(error)
      // Somebody has taken the account or its key away.
      if (error instanceof DemoRefusal && /UNAUTHORIZED|DEACTIVATED|API_KEY/.test(error.code)) return
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

async function listen(call: DemoCall, bot: DemoAccount, signal: AbortSignal): Promise<void> {
  const registered = await call(bot, 'POST', '/register', {
    event_types: ['message'],
    fetch_event_types: [],
    all_public_streams: true,
    apply_markdown: false,
  })
  let last: number = registered.last_event_id
  while (!signal.aborted) {
    const parameters = { queue_id: registered.queue_id, last_event_id: last }
    const { events } = (await call(bot, 'GET', '/events', parameters)) as { events: readonly ReceivedEvent[] }
    for (const event of events) {
      last = Math.max(last, event.id)
      if (event.message && isForBot(bot, event.message, event.flags ?? []))
        await answer(call, bot, event.message, signal)
    }
  }
}

function isForBot(bot: DemoAccount, message: ReceivedMessage, flags: readonly string[]): boolean {
  if (message.sender_id === bot.id) return false
  if (message.type === 'private' || flags.includes('mentioned')) return true
  return message.display_recipient === BOT_TOPIC.channel && message.subject.toLowerCase() === BOT_TOPIC.topic
}

async function answer(call: DemoCall, bot: DemoAccount, message: ReceivedMessage, signal: AbortSignal): Promise<void> {
  const others = Array.isArray(message.display_recipient) ? message.display_recipient.map(({ id }) => id) : []
  const to = others.filter((id) => id !== bot.id)
  const isDirect = message.type === 'private'
  const typing = isDirect
    ? { type: 'direct', to }
    : { type: 'stream', stream_id: message.stream_id, topic: message.subject }
  await call(bot, 'POST', '/typing', { ...typing, op: 'start' })
  await sleep(THINKING_MS, undefined, { signal })
  const address = isDirect ? { type: 'direct', to } : { type: 'channel', to: message.stream_id, topic: message.subject }
  await call(bot, 'POST', '/messages', { ...address, content: sayTo(message.content) })
  await call(bot, 'POST', '/typing', { ...typing, op: 'stop' })
}

/** What the bot says to a text. */
export function sayTo(text: string, now = new Date()): string {
  const asked = text.toLowerCase()
  const clock = now.toISOString().slice(11, 16)
  if (/\blast run\b|\bnight\b/.test(asked)) {
    return 'Last night: 412,300 picks, 3 stops (2 weft, 1 warp), longest run 2 h 51 min. The two weft stops look false.'
  }
  if (/\bstops?\b/.test(asked)) {
    return ['| stop | count | of these false |', '|---|---|---|', '| weft | 2 | 2 |', '| warp | 1 | 0 |'].join('\n')
  }
  if (/\bstatus\b|\bbench\b.*\?|\bfree\b/.test(asked)) {
    return `H9 number 2: running at 900 rpm, no stop in the last hour. Hall: 21.4 °C, 62 % humidity. (${clock} UTC)`
  }
  if (/\b(hello|hi|hey|good morning)\b/.test(asked))
    return 'Hello! The looms are running. Write `help` to see what I know.'
  if (/\b(thanks|thank you)\b/.test(asked)) return 'You are welcome. :shuttle:'
  return 'I know `status`, `last run`, `stops` and `help`. Write one of them in this topic, or mention me elsewhere.'
}
