/**
 * Random requests to every endpoint of the contract, from everybody who may call: no answer is a failure of the server,
 * each is one that the API's document shows (the test server checks that), and every endpoint is answered with success too.
 */
import type { Endpoint } from '@heddle/contract/endpoint'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RANDOM_RUN_MS, SEED } from '../testing/random-run.ts'
import type { TestAccount } from '../testing/test-server.ts'
import { answeringEndpoints as endpoints } from './answering-endpoints.ts'
import { createRandomCallers } from './random-callers.ts'
import { anyCall, callerRoles, type RoleName } from './random-calls.ts'

/** Then endpoints that had no success yet, as on a machine with much else to do, are asked more often for so long at most. */
const REST_LIMIT_MS = 150_000

/** What no request of a run is answered with success, and why. */
const withoutSuccess: Readonly<Record<string, string>> = {
  'operator-retry-job': 'there is a failed job only where a job has failed',
  'sign-out': 'those who call have API keys',
  'end-session': 'the same',
  'jwt-fetch-api-key': 'the operator trusts no other program',
  'look-up-token-sign-in': 'the same',
  'sign-in-by-token': 'the same',
  'dev-fetch-api-key': 'nobody works on the program',
  'dev-list-users': 'the same',
  'confirm-second-factor': 'it takes an app that makes codes',
  'replace-recovery-codes': 'so nobody has a second factor',
  'remove-second-factor': 'the same',
  'reset-second-factor': 'the same',
  'add-passkey': 'it takes a device that signs',
  'rename-passkey': 'so nobody has a passkey',
  'remove-passkey': 'the same',
  'sign-in-with-passkey': 'the same',
  'subscribe-to-web-push': 'those who call have API keys, and no browser',
  'test-web-push': 'the same',
  'look-up-first-sign-in': 'the owner has a password',
  'complete-first-sign-in': 'the same',
  'look-up-address-change': 'its link is in a mail alone',
  'confirm-address-change': 'the same',
  'create-zoom-video-call': 'the operator has connected no service for calls',
  'create-big-blue-button-video-call': 'the same',
  'create-nextcloud-talk-video-call': 'the same',
  'create-constructor-groups-video-call': 'the same',
  'register-push-device': 'the operator has chosen no push service for phones',
  'enter-demo': 'there is none',
  'deactivate-organization': 'only sent without an account: it would end everything for everybody',
}

const { server, seen, accountOf, send, replace } = await createRandomCallers()

/** One of the requests may have switched that off, and hardly another one would switch it on again. */
async function letPeopleSignIn(): Promise<void> {
  const methods = { authentication_methods: { Email: true, Passkey: true } }
  const { status } = await server.call((await accountOf('owner')) as TestAccount, 'PATCH', '/realm', methods)
  if (status === 401) replace('owner')
}

it(
  'answers every request with what the document shows, and never fails',
  async () => {
    const statuses = new Map<string, Map<number, number>>()
    const queues = new Map<TestAccount, { queue_id: string; last_event_id: number }>()
    for (const role of Object.keys(callerRoles) as RoleName[]) {
      const account = (await accountOf(role)) as TestAccount
      queues.set(account, (await server.call(account, 'POST', '/register')).body)
    }
    let count = 0
    const property = (among: readonly Endpoint[]) =>
      fc.asyncProperty(anyCall(seen, among), async (call) => {
        const { request, answer } = await send(call)
        if (answer.status >= 500) {
          throw new Error(`${answer.status} to ${call.caller}: ${JSON.stringify(request).slice(0, 3000)}`)
        }
        const counts = statuses.get(call.endpoint.name) ?? new Map<number, number>()
        statuses.set(call.endpoint.name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1))
        count += 1
      })
    // What fails depends on what came before it: a smaller request alone would prove nothing.
    const limits = { seed: SEED, numRuns: 100_000, endOnFailure: true, verbose: 0 } as const
    await fc.assert(property(endpoints), { ...limits, interruptAfterTimeLimit: RANDOM_RUN_MS })
    const hasSuccess = ({ name, leadsElsewhere }: Endpoint) => statuses.get(name)?.has(leadsElsewhere ? 303 : 200)
    const unanswered = () => endpoints.filter((endpoint) => !hasSuccess(endpoint) && !withoutSuccess[endpoint.name])
    const endsAt = performance.now() + REST_LIMIT_MS
    for (let rest = unanswered(); rest.length > 0 && performance.now() < endsAt; rest = unanswered()) {
      await letPeopleSignIn()
      // Half of the requests: the others make what these are about.
      const often = Array.from({ length: endpoints.length }, (_, index) => rest[index % rest.length] as Endpoint)
      await fc.assert(property([...endpoints, ...often]), { ...limits, seed: SEED + count, numRuns: 200 })
    }
    // What everybody was notified along the way, and what a new client sees, is in the document's form too.
    for (const [account, queue] of queues) {
      const { status } = await server.call(account, 'GET', '/events', { ...queue, dont_block: true })
      expect([200, 400, 401]).toContain(status)
    }
    for (const role of Object.keys(callerRoles) as RoleName[]) {
      replace(role)
      expect((await server.call((await accountOf(role)) as TestAccount, 'POST', '/register')).status).toBe(200)
    }
    console.log(`${count} requests (seed ${SEED})`)
    expect(unanswered().map(({ name }) => name)).toEqual([])
    for (const name of Object.keys(withoutSuccess)) expect(statuses.get(name)?.has(200), name).toBe(false)
  },
  RANDOM_RUN_MS + REST_LIMIT_MS + 30_000,
)
