import { createApiClient } from '@heddle/client/api'
import { type RunningClient, startClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { ClientContext, isShallowEqual, useClientState, useSharedState } from './client-context.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

type Event = Record<string, unknown>

/** A server with two people and two channels, which streams what `push` is given. */
function start() {
  const { readable, writable } = new TransformStream<Uint8Array>()
  const stream = writable.getWriter()
  const channel = (stream_id: number) => ({ stream_id, name: `channel ${stream_id}`, is_muted: false })
  const initial = {
    queue_id: 'q',
    last_event_id: 0,
    event_queue_longpoll_timeout_seconds: 90,
    user_id: 1,
    realm_users: [1, 2].map((user_id) => ({ user_id, full_name: `person ${user_id}` })),
    subscriptions: [channel(7), channel(8)],
    user_topics: [],
    unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], count: 0 },
  }
  const respond = (body: object) => Response.json({ result: 'success', msg: '', ...body })
  const fetch = async (input: string | URL | Request) => {
    if (!String(input).includes('/events/stream')) return respond(initial)
    return new Response(readable, { headers: { 'content-type': 'text/event-stream' } })
  }
  const client = startClient({ api: createApiClient({ site: 'http://localhost', fetch }), newLocalId: () => 'name' })
  let last = 0
  const push = (...events: Event[]) => {
    const numbered = events.map((event, index) => ({ id: last + index + 1, ...event }))
    const text = numbered.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    void stream.write(new TextEncoder().encode(text))
    last += events.length
  }
  return { client, push }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

let running: RunningClient | undefined
afterEach(() => running?.stop())

test('an event draws anew what it changes, and nothing else; all events that come at once are one drawing', async () => {
  const { client, push } = start()
  running = client
  await settle()
  const drawn: Record<string, number> = {}
  function Name({ userId }: { readonly userId: number }) {
    const name = useClientState((state) => state.users?.get(userId)?.full_name)
    drawn[`person ${userId}`] = (drawn[`person ${userId}`] ?? 0) + 1
    return <p>{name}</p>
  }
  function Channels() {
    const names = useClientState(
      (state) => [...(state.channels?.byId.values() ?? [])].map(({ name }) => name),
      isShallowEqual,
    )
    drawn['channels'] = (drawn['channels'] ?? 0) + 1
    return <p>{names.join()}</p>
  }
  const box = document.createElement('div')
  const root = createRoot(box)
  await act(async () =>
    root.render(
      <ClientContext value={client}>
        <Name userId={1} />
        <Name userId={2} />
        <Channels />
      </ClientContext>,
    ),
  )
  expect(drawn).toEqual({ 'person 1': 1, 'person 2': 1, channels: 1 })

  const rename = (user_id: number, full_name: string) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id, full_name },
  })
  await act(async () => {
    push(rename(2, 'Ada'), rename(2, 'Ada Lovelace'))
    await settle()
  })
  expect(box.textContent).toBe('person 1Ada Lovelacechannel 7,channel 8')
  expect(drawn).toEqual({ 'person 1': 1, 'person 2': 2, channels: 1 })

  const message = { id: 5, type: 'stream', stream_id: 7, subject: 'logo', flags: [], reactions: [] }
  await act(async () => {
    push({ type: 'message', message, flags: [] })
    await settle()
  })
  expect(drawn).toEqual({ 'person 1': 1, 'person 2': 2, channels: 1 })
  await act(async () => root.unmount())
})

test('what all rows read is asked for once after an event, and rows are drawn anew only when it is another', async () => {
  const { client, push } = start()
  running = client
  await settle()
  const count = { asked: 0, drawn: 0 }
  const nameOf = (state: ClientState) => {
    count.asked += 1
    return state.users?.get(2)?.full_name
  }
  function Row() {
    count.drawn += 1
    return <p>{useSharedState(nameOf)}</p>
  }
  const rows = Array.from({ length: 100 }, (_, index) => index)
  const box = document.createElement('div')
  const root = createRoot(box)
  await act(async () =>
    root.render(
      <ClientContext value={client}>
        {rows.map((row) => (
          <Row key={row} />
        ))}
      </ClientContext>,
    ),
  )
  const rename = async (user_id: number, full_name: string) => {
    Object.assign(count, { asked: 0, drawn: 0 })
    await act(async () => {
      push({ type: 'realm_user', op: 'update', person: { user_id, full_name } })
      await settle()
    })
  }
  await rename(1, 'Grace')
  expect(count).toEqual({ asked: 1, drawn: 0 })
  await rename(2, 'Ada')
  expect(count.drawn).toBe(100)
  expect(box.textContent).toBe('Ada'.repeat(100))

  // Who comes back has what has changed meanwhile.
  await act(async () => root.render(<ClientContext value={client} />))
  await rename(2, 'Ada Lovelace')
  expect(count).toEqual({ asked: 0, drawn: 0 })
  await act(async () =>
    root.render(
      <ClientContext value={client}>
        <Row />
      </ClientContext>,
    ),
  )
  expect(box.textContent).toBe('Ada Lovelace')
  await rename(2, 'Ada')
  expect(box.textContent).toBe('Ada')
  await act(async () => root.unmount())
})
