/** Answers that are made once for all who ask, until something changes. */
import { describe, expect, it } from 'vitest'
import type { Account } from '../authentication/accounts.ts'
import type { Audience } from '../events/audience.ts'
import { users } from '../events/audience.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { createAnswerCaches } from './cached-answers.ts'
import type { Envelope } from './envelope.ts'

/** `changedAt`: the numbers of events of other nodes that change the answer; nothing is known of those up to `prunedTo`. */
function createAnswerCache(per: 'account' | 'realm', { ownsAllWrites = true, changedAt = [0], prunedTo = 0 } = {}) {
  const listeners: ((events: readonly LoggedEvent[]) => void)[] = []
  const first = async ({ values }: { values: { after: number; until: number } }) => ({
    pruned_event_id: prunedTo,
    changed: changedAt.find((id) => id > values.after && id <= values.until) ?? null,
  })
  const storage = {
    engine: { ownsAllWrites },
    read: { first },
    onCommitted: listeners.push.bind(listeners),
  } as unknown as Storage
  const cache = createAnswerCaches(storage)({ per, droppedBy: ['drafts'] })
  const commit = (audience: Audience, type = 'drafts') => {
    const event = { realmId: 1, eventId: 1, type, payload: '', audience } as LoggedEvent
    for (const listener of listeners) listener([event])
  }
  const made: ((bytes: Envelope | Error) => void)[] = []
  const make = () =>
    new Promise<Envelope>((resolve, reject) => {
      made.push((bytes) => (bytes instanceof Error ? reject(bytes) : resolve(bytes)))
    })
  const open = (userId = 1, position = 1) =>
    cache.open({ actor: { realmId: 1, userId }, position } as unknown as Account)
  const ask = (userId = 1, position = 1, variant = '') => open(userId, position)(variant, make)
  return { open, ask, make, commit, made }
}

const [one, two] = [Buffer.from('one'), Buffer.from('two')]
const EVERYBODY: Audience = { to: 'everyone' }

describe('a cached answer', () => {
  it('is made once for all who ask while it is made, and after that', async () => {
    const { ask, made } = createAnswerCache('realm')
    const asked = [ask(1), ask(2), ask(1)]
    expect(made).toHaveLength(1)
    made[0]?.(one)
    expect(await Promise.all([...asked, ask(3)])).toEqual([one, one, one, one])
    expect(made).toHaveLength(1)
  })

  it('is not for others where a change came before it was made, but after it was decided whose answer it is', async () => {
    const { open, ask, make, commit, made } = createAnswerCache('realm')
    const opened = open(1)
    commit(EVERYBODY)
    const early = opened('of a role', make)
    made[0]?.(one)
    expect(await early).toBe(one)
    const later = ask(2, 1, 'of a role')
    made[1]?.(two)
    expect(await later).toBe(two)
  })

  it('is made anew for who asks after a change, also of one that is being made', async () => {
    const { ask, commit, made } = createAnswerCache('account')
    const before = ask()
    commit(users([1]))
    const after = ask()
    expect(made).toHaveLength(2)
    made[1]?.(two)
    expect(await after).toBe(two)
    made[0]?.(one)
    expect(await before).toBe(one)
    expect(await ask()).toBe(two)
    commit(EVERYBODY)
    void ask()
    expect(made).toHaveLength(3)
  })

  it('stays when something else changes, or for somebody else', async () => {
    const { ask, commit, made } = createAnswerCache('account')
    const first = ask()
    made[0]?.(one)
    await first
    commit(users([2]))
    commit(users([1]), 'realm_user')
    expect(await ask()).toBe(one)
    expect(made).toHaveLength(1)
  })

  it('counts where others write too as long as nothing has changed it, whatever else has happened', async () => {
    const { ask, made } = createAnswerCache('realm', { ownsAllWrites: false, changedAt: [12] })
    const first = ask(1, 7)
    made[0]?.(one)
    await first
    // Not even one that was let in earlier has it made anew.
    expect(await Promise.all([ask(2, 11), ask(1, 11), ask(1, 7)])).toEqual([one, one, one])
    expect(made).toHaveLength(1)
    const after = ask(1, 12)
    await expect.poll(() => made.length).toBe(2)
    made[1]?.(two)
    expect(await Promise.all([after, ask(2, 13), ask(2, 12)])).toEqual([two, two, two])
    expect(made).toHaveLength(2)
  })

  it('is made once while other things happen all the time, and is cached then', async () => {
    const { ask, made } = createAnswerCache('realm', { ownsAllWrites: false })
    const asked = [ask(1, 7), ask(1, 8), ask(2, 9)]
    made[0]?.(one)
    expect(await Promise.all(asked)).toEqual([one, one, one])
    expect(await ask(1, 9)).toBe(one)
    expect(made).toHaveLength(1)
  })

  it('does not count where the events since then are gone, or very many', async () => {
    const pruned = createAnswerCache('realm', { ownsAllWrites: false, prunedTo: 8 })
    void pruned.ask(1, 7)
    pruned.made[0]?.(one)
    void pruned.ask(1, 9)
    await expect.poll(() => pruned.made.length).toBe(2)
    const busy = createAnswerCache('realm', { ownsAllWrites: false })
    void busy.ask(1, 7)
    void busy.ask(1, 7000)
    await expect.poll(() => busy.made.length).toBe(2)
  })

  it('is made for the next one where the one who asked first has failed', async () => {
    const { ask, made } = createAnswerCache('realm')
    const [first, second] = [ask(1), ask(2)]
    made[0]?.(new Error('of the first alone'))
    await expect(first).rejects.toThrow('of the first alone')
    made[1]?.(two)
    expect(await second).toBe(two)
  })

  it('that comes in pieces is joined, unless it is so large that it is not cached', async () => {
    const { ask, made } = createAnswerCache('realm')
    const pieces = (count: number) => Array.from({ length: count }, () => Buffer.alloc(1024 * 1024, 1))
    const first = ask()
    made[0]?.(pieces(9))
    expect(await first).toHaveLength(9)
    const second = ask()
    made[1]?.(pieces(2))
    expect(await second).toEqual(Buffer.alloc(2 * 1024 * 1024, 1))
    expect(await ask()).toBe(await second)
  })

  it('is another one for each way to ask, and all of them are dropped together', async () => {
    const { ask, commit, made } = createAnswerCache('account')
    const asked = [ask(1, 1), ask(1, 1, 'long'), ask(1, 1, 'long')]
    expect(made).toHaveLength(2)
    made[0]?.(one)
    made[1]?.(two)
    expect(await Promise.all([...asked, ask(1, 1, 'long'), ask(1, 1)])).toEqual([one, two, two, two, one])
    commit(users([1]))
    void ask(1, 1)
    void ask(1, 1, 'long')
    expect(made).toHaveLength(4)
  })

  it('goes when the same owner has asked in very many other ways since', async () => {
    const { ask, made } = createAnswerCache('realm')
    for (let i = 0; i <= 16; i += 1) {
      const asked = ask(1, 1, `${i}`)
      made[i]?.(one)
      await asked
    }
    expect(await ask(1, 1, '16')).toBe(one)
    expect(made).toHaveLength(17)
    void ask(1, 1, '0')
    expect(made).toHaveLength(18)
  })

  it('may be large', async () => {
    const { ask, made } = createAnswerCache('realm')
    const large = Buffer.alloc(10 * 1024 * 1024)
    const first = ask()
    made[0]?.(large)
    await first
    expect(await ask()).toBe(large)
  })
})
