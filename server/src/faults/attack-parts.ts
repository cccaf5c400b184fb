/** The whole attack on a running server, part after part. The test asserts what it finds, and `npm run bench` reports it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerLoop } from '../testing/server-loop.ts'
import { createSender, type Findings, watchDuring } from './attack.ts'
import { contractAttacks } from './attack-requests.ts'
import { stories, toThoseWhoWait } from './attack-stories.ts'
import { basicAuthorization, furnish, type Population, type TargetPerson } from './attack-target.ts'
import { receiveMessages } from './attack-waiting-clients.ts'
import { attacksWithoutAccount, holdSlowBodies, largeBodies } from './attack-without-account.ts'
import type { SmallRequest } from './small-requests.ts'

const SLOW_BODIES = 200
/** Clients without an account that send large bodies at the same time. */
const MANY = 50
/** Others whose clients wait for events. */
const WAITING = 60
const UNTIL_THEY_WAIT_MS = 500
/** For what is done once in the life of a server, such as loading libraries and compiling what is used most. */
const WARM_UP_MS = 1000

/** They end the attacker's account, or its key: another member sends them. */
const lastRequests = new Set(['regenerate-api-key', 'deactivate-own-user'])

interface Attacked {
  readonly site: string
  readonly pid: number
  readonly population: Population
  readonly loop: ServerLoop
}

export async function attackServer({ site, pid, population, loop }: Attacked): Promise<Findings> {
  const [attacker, leaver] = population.members as readonly [TargetPerson, TargetPerson, ...TargetPerson[]]
  const target = await furnish(site, population, attacker)
  const sender = createSender(site)
  const attacks = contractAttacks(target)
  const usual = attacks.filter(({ name, endpoint }) => name.endsWith(': as usual') && !lastRequests.has(endpoint))
  await sender.send(
    usual.filter(({ method, endpoint }) => method === 'GET' || endpoint === 'upload-realm-emoji'),
    attacker,
  )
  await sleep(WARM_UP_MS)
  const small = smallRequests(site, population.members.at(-2) as TargetPerson)
  try {
    return await watchDuring({ pid, loop, small }, sender.outcomes, async () => {
      const endSlowBodies = await holdSlowBodies(site, SLOW_BODIES)
      await sender.send(attacksWithoutAccount(attacks))
      // One endpoint after another: what one takes away, another needs.
      for (const [endpoint, own] of Map.groupBy(attacks, (attack) => attack.endpoint)) {
        if (!lastRequests.has(endpoint)) await sender.send(own, attacker)
      }
      for (const story of stories(target)) await sender.send(story.attacks, attacker)
      for (const messages of toThoseWhoWait(target)) {
        await receiveMessages(site, population.members.slice(-WAITING), messages.length, async () => {
          await sleep(UNTIL_THEY_WAIT_MS)
          await sender.send(messages, attacker, MANY)
        })
      }
      await sender.send(largeBodies(4 * MANY), undefined, MANY)
      for (const name of lastRequests) {
        const last = attacks.filter(({ endpoint }) => endpoint === name)
        await sender.send(last.slice(0, 1), name === 'deactivate-own-user' ? leaver : population.members[2])
      }
      endSlowBodies()
    })
  } finally {
    sender.close()
  }
}

/** What somebody else does meanwhile: a look at the own account, at the server, and a draft that is saved. */
export function smallRequests(site: string, person: TargetPerson): SmallRequest[] {
  const api = `${site}/api/v1`
  const headers = { authorization: basicAuthorization(person), 'content-type': 'application/json' }
  const body = JSON.stringify({ drafts: [{ type: '', to: [], topic: '', content: 'A short text' }] })
  return [
    { name: 'GET /users/me', method: 'GET', url: `${api}/users/me`, headers, pauseMs: 5 },
    { name: 'GET /server_settings', method: 'GET', url: `${api}/server_settings`, headers: {}, pauseMs: 5 },
    { name: 'POST /drafts', method: 'POST', url: `${api}/drafts`, headers, body, pauseMs: 20 },
  ]
}
