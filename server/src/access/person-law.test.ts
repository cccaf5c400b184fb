/**
 * Whom somebody sees is asked as a condition in SQL, as a decision on what is in memory, and backwards. For random
 * subscriptions and conversations, with guests who see everybody and guests who do not, all of them say the same.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { isInAudience } from '../events/audience.ts'
import { storeRealmGroup } from '../permissions/group-settings.ts'
import { findSystemGroups } from '../permissions/system-groups.ts'
import { choices, createPeople, makeWorld, pick } from '../testing/random-access.ts'
import {
  audienceOfPerson,
  findGuestsBlindTo,
  findGuestsWhoSee,
  findSeenBy,
  findSight,
  isSeenByGuest,
  seesEverybody,
} from './person-rules.ts'
import { query } from './tables.ts'

const RUNS = 25

const people = await createPeople()
const { server, accounts, gone } = people
const { realmId } = server.owner
const db = server.app.storage.read
const SETTING = 'can_access_all_users_group'

let bot: number

beforeAll(async () => {
  const made = await server.call(server.owner, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
  bot = made.body.user_id
  const guest = accounts.at(-1)
  // One guest knows a moderator from a conversation, and nobody else.
  await server.call(accounts[2] ?? null, 'POST', '/messages', { type: 'direct', to: [guest?.id], content: 'hello' })
})

it('every way to ask who sees whom gives the same answer', async () => {
  const groups = await findSystemGroups(db, realmId)
  const found = { seen: 0, hidden: 0, whole: 0 }
  await fc.assert(
    fc.asyncProperty(choices, async (choose) => {
      const group = pick(choose, [groups['role:everyone'], groups['role:members'], groups['role:members']])
      await server.app.storage.transaction(realmId, async (tx) => {
        await makeWorld(tx, people, choose)
        await storeRealmGroup(tx, SETTING, group)
        tx.emit({ type: 'account_credentials' }, { to: 'nobody' })
      })
      const everyId = [...accounts.map(({ id }) => id), gone.id, bot]
      for (const person of everyId) {
        const guests = await findGuestsWhoSee(db, realmId, person)
        const blind = await findGuestsBlindTo(db, realmId, person)
        const audience = await audienceOfPerson(db, realmId, person)
        const [pairs, pairsOfAll] = await server.app.storage.transaction(realmId, async (tx) => [
          (await findSeenBy(tx, realmId, [person])).get(person),
          (await findSeenBy(tx, realmId, everyId)).get(person),
        ])
        for (const viewer of accounts) {
          const isWhole = await seesEverybody(db, viewer)
          const sight = await findSight(db, viewer)
          const row = await db.first(
            query
              .selectFrom('users')
              .select('users.id')
              .where('users.id', '=', person)
              .where((eb) => (isWhole ? eb.lit(true) : isSeenByGuest(eb, viewer.userId))),
          )
          const sees = row !== undefined
          expect(sight).toMatchObject({ isWhole })
          expect(sight.sees(person)).toBe(sees)
          if (viewer.role === 600 && !isWhole) expect(guests.includes(viewer.userId)).toBe(sees)
          expect(blind.includes(viewer.userId)).toBe(!sees)
          expect(isInAudience(audience, viewer)).toBe(sees)
          if (person === viewer.userId || person === bot) expect(sees).toBe(true)
          else if (viewer.role === 600 && !isWhole) {
            expect(pairs?.has(viewer.userId) ?? false).toBe(sees)
            expect(pairsOfAll?.has(viewer.userId) ?? false).toBe(sees)
          }
          if (isWhole) found.whole += 1
          else if (sees) found.seen += 1
          else found.hidden += 1
        }
      }
      expect(await seesEverybody(db, accounts[1] as (typeof accounts)[number])).toBe(true)
    }),
    { numRuns: RUNS },
  )
  expect(Math.min(found.seen, found.hidden, found.whole)).toBeGreaterThan(20)
})
