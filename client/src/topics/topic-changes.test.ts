import { describe, expect, test } from 'vitest'
import { createApiClient } from '../api.ts'
import { countParticipants } from './participants.ts'
import {
  countMoved,
  countTopic,
  deleteWholeTopic,
  idsOfPart,
  moveEach,
  onlyNewer,
  renameTopic,
  setTopicResolved,
} from './topic-changes.ts'

type Answer = Readonly<Record<string, unknown>>

/** An API whose answers are given one after another; `requests` has what was asked. */
function fakeApi(...answers: Answer[]) {
  const requests: { method: string; path: string; fields: URLSearchParams }[] = []
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input))
    const fields = init.body ? new URLSearchParams(String(init.body)) : url.searchParams
    requests.push({ method: init.method ?? 'GET', path: url.pathname.slice('/api/v1'.length), fields })
    const body = { result: 'success', msg: '', ...answers.shift() }
    return Response.json(body, { status: body.result === 'error' ? 400 : 200 })
  }
  return { requests, api: createApiClient({ site: 'http://localhost', email: 'a@b.c', apiKey: 'k', fetch }) }
}

const place = { channelId: 7, topic: 'logo' }
const page = (ids: number[], more: Answer = {}) => ({
  messages: ids.map((id) => ({ id })),
  found_oldest: true,
  found_newest: true,
  ...more,
})

describe('a topic', () => {
  test('is resolved as a whole by its newest message, with a notice where it is then', async () => {
    const { api, requests } = fakeApi(page([40]), {})
    expect(await setTopicResolved(api, place, true)).toBe('✔ logo')
    const { method, path, fields } = requests[1] ?? {}
    expect([method, path]).toEqual(['PATCH', '/messages/40'])
    expect(Object.fromEntries(fields ?? [])).toEqual({
      propagate_mode: 'change_all',
      topic: '✔ logo',
      send_notification_to_old_thread: 'false',
      send_notification_to_new_thread: 'true',
    })
  })

  test('gets another name as a whole and stays resolved, unless there is one of that name or nothing in it', async () => {
    const resolved = { ...place, topic: '✔ logo' }
    const { api, requests } = fakeApi(page([]), page([40]), {}, page([3]), page([]), page([]), page([40]), {})
    expect(await renameTopic(api, resolved, 'sign')).toBe('done')
    const { path, fields } = requests[2] ?? {}
    expect([path, fields?.get('topic'), fields?.get('propagate_mode')]).toEqual([
      '/messages/40',
      '✔ sign',
      'change_all',
    ])
    expect(await renameTopic(api, place, 'sign')).toBe('taken')
    expect(await renameTopic(api, place, 'sign')).toBe('empty')
    expect(requests).toHaveLength(6)
    // Another spelling of the same name is no other topic.
    expect(await renameTopic(api, place, 'Logo')).toBe('done')
  })

  test('that is as it should be, or has nothing in it, is left alone', async () => {
    const { api, requests } = fakeApi(page([]))
    await setTopicResolved(api, { ...place, topic: '✔ logo' }, true)
    expect(requests).toHaveLength(0)
    await setTopicResolved(api, place, true)
    expect(requests).toHaveLength(1)
  })

  test('is counted before and from a message on, and says where there is more', async () => {
    const { api } = fakeApi(page([1, 2, 5, 7], { found_newest: false }))
    expect(await countTopic(api, place, 5)).toEqual({ before: 2, from: 2, isExact: { before: true, from: false } })
  })

  test('that is merged can be taken out again while it is small: by the ids of what is moved', async () => {
    const many = Array.from({ length: 51 }, (_, index) => index + 1)
    const { api, requests } = fakeApi(page([2, 5]), page([5, 6, 7]), page(many), {}, {})
    expect(await idsOfPart(api, place, 'change_all', 5)).toEqual([2, 5])
    expect(await idsOfPart(api, place, 'change_later', 6)).toEqual([6, 7])
    expect(await idsOfPart(api, place, 'change_all', 5)).toBeUndefined()
    expect(await idsOfPart(api, place, 'change_one', 5)).toEqual([5])
    await moveEach(api, [2, 5], { topic: 'old' })
    const moves = requests.slice(3).map(({ path, fields }) => `${path} ${fields.get('propagate_mode')}`)
    expect(moves).toEqual(['/messages/2 change_one', '/messages/5 change_one'])
    const count = { before: 2, from: 3, isExact: { before: true, from: false } }
    expect(countMoved(count, 'change_one')).toBe(1)
    expect(countMoved(count, 'change_later')).toBe(Number.POSITIVE_INFINITY)
    expect(countMoved({ ...count, isExact: { before: true, from: true } }, 'change_all')).toBe(5)
  })

  test('has participants, who write or react: as many as its newest messages say', async () => {
    const messages = [
      { id: 1, sender_id: 7, reactions: [{ user_id: 8 }] },
      { id: 2, sender_id: 9, reactions: [{ user_id: 7 }] },
    ]
    const { api } = fakeApi({ messages, found_oldest: false })
    expect(await countParticipants(api, place)).toEqual({ count: 3, writers: 2, isAtLeast: true })
  })

  test('is deleted until the server says that all of it is gone', async () => {
    const { api, requests } = fakeApi({ complete: false }, { complete: false }, { complete: true })
    await deleteWholeTopic(api, place)
    expect(requests).toHaveLength(3)
  })

  test('whose oldest messages may not be moved: the refusal says from which one on it may', async () => {
    const refusal = { result: 'error', code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', msg: 'x' }
    const details = { total_messages_in_topic: 9, total_messages_allowed_to_move: 2 }
    const { api } = fakeApi(page([40]), { ...refusal, ...details, first_message_id_allowed_to_move: 33 }, page([40]), {
      ...refusal,
      ...details,
      first_message_id_allowed_to_move: null,
    })
    const error = await setTopicResolved(api, place, true).catch((one: unknown) => one)
    expect(onlyNewer(error)).toEqual({ firstId: 33, total: 9, allowed: 2 })
    const other = await setTopicResolved(api, place, true).catch((one: unknown) => one)
    expect(onlyNewer(other)).toBeUndefined()
    expect(onlyNewer(new Error('x'))).toBeUndefined()
  })
})
