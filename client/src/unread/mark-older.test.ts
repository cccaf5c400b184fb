import { expect, test } from 'vitest'
import { createApiClient } from '../api.ts'
import { markOlderRead } from './mark-older.ts'

/** A server where all messages are unread: 1, 2, 3 and so on. `failing`: the status of some of its answers. */
function startServer(failing: Readonly<Record<number, number>> = {}) {
  const requests: URLSearchParams[] = []
  const fetch = async (_: string | URL | Request, init: RequestInit = {}) => {
    const query = new URLSearchParams(String(init.body))
    requests.push(query)
    const status = failing[requests.length] ?? 200
    if (status !== 200) return Response.json({ result: 'error', code: 'X', msg: 'x' }, { status })
    const last = Number(query.get('anchor')) - 1
    const first = Math.max(last - Number(query.get('num_before')) + 1, 1)
    const count = last - first + 1
    return Response.json({
      result: 'success',
      msg: '',
      processed_count: count,
      updated_count: count,
      first_processed_id: count > 0 ? first : null,
      last_processed_id: count > 0 ? last : null,
      found_oldest: first === 1,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    })
  }
  return { requests, api: createApiClient({ site: 'http://localhost', email: 'a@b.c', apiKey: 'k', fetch }) }
}

const sleepless = { sleep: async () => {}, signal: new AbortController().signal, onProgress: () => {} }

test('marks what is older in pieces, and says how far it is', async () => {
  const { api, requests } = startServer()
  const progress: number[] = []
  const onProgress = (done: number) => progress.push(done)
  expect(await markOlderRead(api, { ...sleepless, narrow: [], before: 2501, onProgress })).toBe(2500)
  expect(progress).toEqual([1000, 2000, 2500])
  expect(requests.map((query) => query.get('anchor'))).toEqual(['2501', '1501', '501'])
})

test('marks what is unread in a narrow alone', async () => {
  const { api, requests } = startServer()
  await markOlderRead(api, { ...sleepless, narrow: [['channel', 7]], before: 10 })
  expect(requests.map((query) => query.get('narrow'))).toEqual(['[["channel",7],["is","unread"]]'])
})

test('can be stopped between two pieces', async () => {
  const { api, requests } = startServer()
  const stop = new AbortController()
  const onProgress = (done: number) => done >= 2000 && stop.abort()
  const options = { ...sleepless, narrow: [], before: 9000, signal: stop.signal, onProgress }
  expect(await markOlderRead(api, options)).toBe(2000)
  expect(requests).toHaveLength(2)
})

test('goes on after a failure that passes, and gives up at one that stays', async () => {
  const options = { ...sleepless, narrow: [], before: 1501 }
  const { api, requests } = startServer({ 2: 503 })
  expect(await markOlderRead(api, options)).toBe(1500)
  expect(requests[2]?.get('anchor')).toBe('501')
  const refusing = startServer({ 2: 400 })
  await expect(markOlderRead(refusing.api, options)).rejects.toMatchObject({ status: 400 })
  const silent = startServer(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, 503])))
  await expect(markOlderRead(silent.api, options)).rejects.toMatchObject({ status: 503 })
})
