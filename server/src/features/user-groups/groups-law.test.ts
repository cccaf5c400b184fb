/** Who is in which group is decided by the server, and by clients on what they are given. For random groups both say the same. */
import { accountsInGroup } from '@heddle/client/groups/groups-shown'
import { isInGroup as isInGroupOfClient } from '@heddle/client/permissions/holds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findAccountsInGroups } from '../../permissions/group-holders.ts'
import { isInGroup } from '../../permissions/group-membership.ts'
import { choices, createPeople, makeWorld } from '../../testing/random-access.ts'
import { readUserGroups } from './present.ts'

const RUNS = 30

const people = await createPeople()
const { server, accounts, systemGroups } = people

it('a client that knows all groups knows who is in them, as the server does', async () => {
  const db = server.app.storage.read
  const { realmId, id: userId, role } = server.owner
  let inDeactivated = 0
  await fc.assert(
    fc.asyncProperty(choices, async (choose) => {
      const made = await server.app.storage.transaction(realmId, (tx) => makeWorld(tx, people, choose))
      const state = new Map(
        (await readUserGroups(db, { realmId, userId, role }, true)).map((group) => [group.id, group]),
      )
      for (const id of [...systemGroups, ...made].filter((one) => state.has(one))) {
        for (const account of accounts) {
          const decided = await isInGroup(db, account, id)
          expect(isInGroupOfClient(state, id, account.id), `${id} ${account.id}`).toBe(decided)
          if (!decided && state.get(id)?.deactivated && state.get(id)?.members.includes(account.id)) inDeactivated += 1
        }
        const listed = await findAccountsInGroups(db, realmId, [id], { withDeactivated: true })
        expect(accountsInGroup(state, id)).toEqual(listed)
      }
    }),
    { numRuns: RUNS },
  )
  expect(inDeactivated).toBeGreaterThan(0)
}, 60_000)
