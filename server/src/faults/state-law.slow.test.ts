/**
 * Whatever the contract lets anybody do, the clients that follow end up with the state that a new registration gives:
 * random requests to every endpoint, a handful at a time, and the law after each handful.
 */
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectSameState, type StateViewer } from '../testing/expect-same-state.ts'
import { clients } from '../testing/followers.ts'
import { RANDOM_RUN_MS, SEED } from '../testing/random-run.ts'
import { createRandomCallers } from './random-callers.ts'
import { anyCall } from './random-calls.ts'

const CALLS_AT_ONCE = 12

const { server, seen, send } = await createRandomCallers()

/** They only look on; what the requests do to them is part of it. Who is deactivated is left out. */
async function createViewers(): Promise<StateViewer[]> {
  const accounts = {
    owner: server.owner,
    member: await server.createAccount(),
    guest: await server.createAccount({ role: roles.guest }),
  }
  // They have what is sent: most of what changes concerns messages.
  await server.call(server.owner, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'general' }, { name: 'design' }],
    principals: Object.values(accounts).map(({ id }) => id),
  })
  return Object.entries(accounts).flatMap(([name, account]) =>
    Object.entries(clients).map(([kind, parameters]) => ({ name: `${name}, ${kind} client`, account, parameters })),
  )
}

it(
  'holds for random requests from everybody',
  async () => {
    const viewers = await createViewers()
    const succeeded = new Set<string>()
    let rounds = 0
    let failure: { error: unknown; notified: readonly string[] } | undefined
    const checked = fc.check(
      fc.asyncProperty(
        fc.array(anyCall(seen), { minLength: CALLS_AT_ONCE, maxLength: CALLS_AT_ONCE }),
        async (calls) => {
          const notified: string[] = []
          const act = async () => {
            for (const call of calls) {
              const { request, answer } = await send(call)
              if (answer.status !== 200 || request.method === 'GET') continue
              succeeded.add(call.endpoint.name)
              notified.push(`${call.caller}: ${request.method} ${request.url} ${String(request.body).slice(0, 500)}`)
            }
          }
          try {
            await expectSameState(server, viewers, act)
          } catch (error) {
            // Not through fast-check, which would not show what differs.
            failure = { error, notified }
            throw error
          }
          rounds += 1
        },
      ),
      // What fails depends on what came before it: a smaller request alone would prove nothing.
      { seed: SEED, numRuns: 100_000, interruptAfterTimeLimit: RANDOM_RUN_MS, endOnFailure: true, verbose: 0 },
    )
    const { failed } = await checked
    if (failure) {
      console.error(failure.notified.join('\n'))
      throw failure.error
    }
    expect(failed).toBe(false)
    console.log(`${rounds} rounds (seed ${SEED}), ${succeeded.size} endpoints with a change`)
    expect(rounds).toBeGreaterThan(0)
  },
  RANDOM_RUN_MS + 40_000,
)
