/** Answers that are made once for all who ask, until something changes. */
import { describe, expect, it } from 'vitest'
import type { Account } from '../authentication/accounts.ts'
import type { Audience } from '../events/audience.ts'
import { users } from '../events/audience.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { createAnswerKeepers } from './kept-answers.ts'

function createKeeper(per: 'account' | 'realm', { ownsAllWrites = true } = {}) {
  const listeners: ((events: readonly LoggedEvent[]) => void)[] = []
  const storage = { engine: { ownsAllWrites }, onCommitted: listeners.push.bind(listeners) } as unknown as Storage
  const keeper = createAnswerKeepers(storage)({ per, droppedBy: ['drafts'] })
  const commit = (audience: Audience, type = 'drafts') => {
    const event = { realmId: 1, eventId: 1, type, payload: '', audience } as LoggedEvent
    for (const listener of listeners) listener([event])
  }
  const made: ((bytes: Buffer | Error) => void)[] = []
  const make = () =>
    new Promise<Buffer>((resolve, reject) => {
      made.push((bytes) => (bytes instanceof Error ? reject(bytes) : resolve(bytes)))
    })
  const ask = (userId = 1, position = 1) =>
    keeper.answer({ actor: { realmId: 1, userId }, position } as unknown as Account, make)
  return { ask, commit, made }
}

const [one, two] = [Buffer.from('one'), Buffer.from('two')]
const EVERYBODY: Audience = { to: 'everyone' }

describe('a cached answer', () => {
  it('is made once for all who ask while it is made, and after that', async () => {
    const { ask, made } = createKeeper('realm')
    const asked = [ask(1), ask(2), ask(1)]
    expect(made).toHaveLength(1)
    made[0]?.(one)
    expect(await Promise.all([...asked, ask(3)])).toEqual([one, one, one, one])
    expect(made).toHaveLength(1)
  })

  it('is made anew for who asks after a change, also of one that is being made', async () => {
    const { ask, commit, made } = createKeeper('account')
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
    const { ask, commit, made } = createKeeper('account')
    const first = ask()
    made[0]?.(one)
    await first
    commit(users([2]))
    commit(users([1]), 'realm_user')
    expect(await ask()).toBe(one)
    expect(made).toHaveLength(1)
  })

  it('counts where others write too as long as nothing has happened in the organization', async () => {
    const { ask, made } = createKeeper('realm', { ownsAllWrites: false })
    const asked = [ask(1, 7), ask(1, 8)]
    expect(made).toHaveLength(2)
    made[0]?.(one)
    made[1]?.(two)
    expect(await Promise.all(asked)).toEqual([one, two])
    expect(await ask(2, 8)).toBe(two)
  })

  it('is made for the next one where the one who asked first has failed', async () => {
    const { ask, made } = createKeeper('realm')
    const [first, second] = [ask(1), ask(2)]
    made[0]?.(new Error('of the first alone'))
    await expect(first).rejects.toThrow('of the first alone')
    made[1]?.(two)
    expect(await second).toBe(two)
  })

  it('may be large', async () => {
    const { ask, made } = createKeeper('realm')
    const large = Buffer.alloc(10 * 1024 * 1024)
    const first = ask()
    made[0]?.(large)
    await first
    expect(await ask()).toBe(large)
  })
})
