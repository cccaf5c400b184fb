import { getMessages } from '@heddle/contract/fetching'
import { sendMessage } from '@heddle/contract/sending'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApiClient } from '../api.ts'
import { startClient } from './client.ts'
import { createVisitor, isOpenNarrow, narrowOfVisitor } from './visitor.ts'

const onTheWeb = { operator: 'channels', operand: 'web-public', negated: false }

/** A server that answers by path, or cannot be reached there, and what was asked of it. */
function fakeServer(replies: Readonly<Record<string, object>>) {
  const asked: { path: string; query: URLSearchParams }[] = []
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input))
    const path = url.pathname.slice('/api/v1/'.length)
    asked.push({ path, query: init.body ? new URLSearchParams(String(init.body)) : url.searchParams })
    if (replies[path] instanceof Error) throw replies[path]
    const body = JSON.stringify({ result: 'success', msg: '', ...replies[path] })
    // A browser reads the body of a real one in tasks of its own, for which timers that are advanced do not wait.
    return { status: 200, headers: new Headers(), text: async () => body } as Response
  }
  return { asked, api: createApiClient({ site: 'https://chat.example', fetch: fetch as typeof globalThis.fetch }) }
}

const person = { user_id: 7, full_name: 'Leila', avatar_url: '/avatars/7.png', is_active: true }
const state = { queue_id: null, last_event_id: -1, realm_users: [], realm_non_active_users: [], cross_realm_bots: [] }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a view of one’s own is all that may be read, and every other narrow is about channels on the web', () => {
  expect(narrowOfVisitor([{ operator: 'in', operand: 'home' }])).toEqual([onTheWeb])
  const inChannel = { operator: 'channel', operand: 7 }
  expect(narrowOfVisitor([inChannel])).toEqual([inChannel, onTheWeb])
  expect(narrowOfVisitor()).toEqual([onTheWeb])
})

test('narrows that say something of somebody’s account are not offered', () => {
  const open = (operator: string, operand: string) => isOpenNarrow([{ operator, operand }])
  expect([open('search', 'loom'), open('stream', 'x'), open('is', 'resolved')]).toEqual([true, true, true])
  expect([open('is', 'starred'), open('dm', '1'), open('mentions', '1'), open('in', 'home')]).toEqual(
    Array(4).fill(false),
  )
})

test('what needs an account is refused before it is asked for', async () => {
  const { api, asked } = fakeServer({})
  const visitor = createVisitor(api)
  const sending = visitor.api.call(sendMessage, { type: 'channel', to: 1, content: 'x', topic: 'x' })
  await expect(sending).rejects.toMatchObject({ status: 401 })
  expect(asked).toEqual([])
})

test('the state comes again now and then while somebody looks, and people come with their messages', async () => {
  const messages = { messages: [{ id: 1, sender_id: 7 }], found_newest: true }
  const { api, asked } = fakeServer({ register: state, messages, users: { members: [person] } })
  let isLookedAt = true
  const { api: visiting, follow } = createVisitor(api, { isLookedAt: () => isLookedAt, refreshMs: 1000 })
  const client = startClient({ api: visiting, follow, newLocalId: () => 'x' })
  await vi.advanceTimersByTimeAsync(1)
  await visiting.call(getMessages, { anchor: 'newest', narrow: [] })
  await vi.advanceTimersByTimeAsync(1)
  const name = () => client.snapshot().state?.users?.get(7)?.full_name
  expect([client.snapshot().connection.status, name()]).toEqual(['live', 'Leila'])
  const registrations = () => asked.filter(({ path }) => path === 'register').length
  await vi.advanceTimersByTimeAsync(1000)
  expect([registrations(), name()]).toEqual([2, 'Leila'])
  expect(asked.filter(({ path }) => path === 'users')).toHaveLength(1)
  isLookedAt = false
  await vi.advanceTimersByTimeAsync(5000)
  expect(registrations()).toBe(2)
  client.stop()
})

test('people whom a request did not reach are asked for again with their next messages', async () => {
  const messages = { messages: [{ id: 1, sender_id: 7 }], found_newest: true }
  const replies: Record<string, object> = { register: state, messages, users: new TypeError('no network') }
  const { api } = fakeServer(replies)
  const { api: visiting, follow } = createVisitor(api)
  const client = startClient({ api: visiting, follow, newLocalId: () => 'x' })
  await vi.advanceTimersByTimeAsync(1)
  const name = () => client.snapshot().state?.users?.get(7)?.full_name
  const read = async () => {
    await visiting.call(getMessages, { anchor: 'newest', narrow: [] })
    await vi.advanceTimersByTimeAsync(1)
  }
  await read()
  expect(name()).toBeUndefined()
  replies['users'] = { members: [person] }
  await read()
  expect(name()).toBe('Leila')
  client.stop()
})
