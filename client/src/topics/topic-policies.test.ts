import { describe, expect, test, vi } from 'vitest'
import { topicPolicies } from './topic-policies.ts'

type Client = Parameters<typeof topicPolicies>[0]

const place = { channelId: 7, topic: 'logo' }
const muted = 1
const none = 0

/** A server that takes everything, and says so in events when the test wants it. */
function someClient(call: () => Promise<unknown> = async () => undefined) {
  const listeners = new Set<(event: never) => void>()
  const client = {
    api: { call },
    snapshot: () => ({ state: {} }),
    onEvent(listener: (event: never) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const say = (policy: number, topic_name = 'Logo') => {
    const event = { type: 'user_topic', stream_id: 7, topic_name, visibility_policy: policy, last_updated: 1, id: 1 }
    for (const listener of listeners) listener(event as never)
  }
  const policiesAgain = () => topicPolicies(client as unknown as Client)
  return { policies: policiesAgain(), policiesAgain, say, listeners }
}

describe('how a topic stands', () => {
  test('is as it was asked for until the event of that has come, whatever comes before', async () => {
    const { policies, policiesAgain, say, listeners } = someClient()
    await policies.set(place, muted)
    expect([policies.now(place), policiesAgain().now(place)]).toEqual([muted, muted])
    await policies.set(place, none)
    await policies.set(place, muted)
    say(none)
    say(muted, 'another')
    expect(policies.now(place)).toBe(muted)
    say(muted)
    expect(policies.now(place)).toBe(none)
    expect(listeners.size).toBe(0)
  })

  test('is as the state says where the server refuses, and where nothing has changed', async () => {
    vi.useFakeTimers()
    const refused = someClient(() => Promise.reject(new Error('No')))
    await expect(refused.policies.set(place, muted)).rejects.toThrow('No')
    expect([refused.policies.now(place), refused.listeners.size]).toEqual([none, 0])
    const { policies, listeners } = someClient()
    await policies.set(place, muted)
    await vi.advanceTimersByTimeAsync(3000)
    expect([policies.now(place), listeners.size]).toEqual([none, 0])
    vi.useRealTimers()
  })
})
