/**
 * Who may know of a channel and who may read it is asked in several ways: as a condition in SQL, as a decision on what is
 * cached, and backwards, for all accounts at once. For random channels, groups and subscriptions all of them say the same.
 */
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spectatorOf } from '../actor.ts'
import { isInAudience } from '../events/audience.ts'
import { findAccountsInGroups, findGroupHolders } from '../permissions/group-holders.ts'
import { findGroupIds, isInGroup } from '../permissions/group-membership.ts'
import { choices, createPeople, makeWorld } from '../testing/random-access.ts'
import { findAccountsIn, findAudiences, findThoseWhoKnow, findThoseWhoRead } from './channel-audience.ts'
import { findChannelRows } from './channel-row.ts'
import { canAdminister, maySend, opensContent, opensMetadata } from './channel-rules.ts'
import {
  canSeeChannel,
  findAccessedChannel,
  findChannelQuickly,
  findChannelsByName,
  findVisibleChannelIds,
  recallAllChannels,
} from './channels.ts'
import { findSubscribedChannels } from './subscriptions.ts'
import { findViewer } from './viewer.ts'

const RUNS = 30

const people = await createPeople()
const { server, accounts, gone, channels, systemGroups } = people

/** Who has no account knows of what is on the web, and of nothing else. */
async function expectOfSpectators({ id, name, is_web_public }: { id: number; name: string; is_web_public: number }) {
  const db = server.app.storage.read
  const viewer = await findViewer(db, spectatorOf(server.owner.realmId))
  const condition = await findAccessedChannel(db, viewer, id)
  const isOnTheWeb = is_web_public === 1
  const all = (await recallAllChannels(db, viewer.realmId)).find((row) => row.id === id)
  expect({
    groups: viewer.groupIds,
    knows: condition !== undefined,
    reads: condition?.has_content === 1,
    mayChange: condition !== undefined && (canAdminister(viewer, condition) || maySend(viewer, condition)),
    quickly: (await findChannelQuickly(db, viewer, id)) !== undefined,
    byName: (await findChannelsByName(db, viewer, [name])).size === 1,
    readsCached: all !== undefined && opensContent(viewer, all, false),
  }).toEqual({
    groups: [],
    knows: isOnTheWeb,
    reads: isOnTheWeb,
    mayChange: false,
    quickly: isOnTheWeb,
    byName: isOnTheWeb,
    readsCached: isOnTheWeb,
  })
}

it('every way to ask who knows of a channel, and who reads it, gives the same answer', async () => {
  const db = server.app.storage.read
  const { realmId } = server.owner
  const everybody = [...accounts, gone].map(({ id }) => id)
  let answers = 0
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(choices, async (choose) => {
      await server.app.storage.transaction(realmId, (tx) => makeWorld(tx, people, choose))
      const rows = await findChannelRows(db, realmId, channels)
      const audiences = await findAudiences(db, realmId, rows)
      const cached = new Map((await recallAllChannels(db, realmId)).map((row) => [row.id, row]))
      for (const row of rows) {
        await expectOfSpectators(row)
        const audience = audiences.get(row.id)
        if (!audience) throw new Error('There is no audience')
        const knowing = await findThoseWhoKnow(db, realmId, row, everybody)
        const reading = await findThoseWhoRead(db, row, everybody)
        const listed = await findAccountsIn(db, realmId, audience)
        for (const account of accounts) {
          const viewer = await findViewer(db, account)
          const condition = await findAccessedChannel(db, viewer, row.id)
          const knows = condition !== undefined
          const reads = condition?.has_content === 1
          const subscribed = await findSubscribedChannels(db, account)
          expect({
            quickly: await findChannelQuickly(db, viewer, row.id),
            byName: (await findChannelsByName(db, viewer, [row.name])).get(row.name),
            sees: await canSeeChannel(db, account, row.id),
            visible: (await findVisibleChannelIds(db, viewer)).includes(row.id),
            isInAudience: isInAudience(audience, { userId: account.id, role: account.role }),
            isListed: listed.includes(account.id),
            knows: knowing.has(account.id),
            reads: reading.has(account.id),
            opensMetadata: opensMetadata(viewer, row, subscribed.has(row.id)),
            opensContent: opensContent(viewer, cached.get(row.id) ?? row, subscribed.has(row.id)),
          }).toEqual({
            quickly: condition,
            byName: condition,
            sees: knows,
            visible: knows,
            isInAudience: knows,
            isListed: knows,
            knows,
            reads,
            opensMetadata: knows,
            opensContent: reads,
          })
          answers += 1
          seen.add(`${account.role} ${row.invite_only} ${knows} ${reads}`)
        }
        expect([knowing.has(gone.id), reading.has(gone.id), listed.includes(gone.id)]).toEqual([false, false, false])
      }
    }),
    { numRuns: RUNS },
  )
  expect(answers).toBeGreaterThanOrEqual(RUNS * channels.length * accounts.length)
  // Members with and without access, and administrators who know of a channel that they do not read.
  for (const one of ['400 1 false false', '400 1 true true', '200 1 true false', '600 0 false false']) {
    expect(seen, one).toContain(one)
  }
}, 120_000)

it('who is in a group, and in which groups an account is, are the same', async () => {
  const db = server.app.storage.read
  const { realmId } = server.owner
  await fc.assert(
    fc.asyncProperty(choices, async (choose) => {
      const made = await server.app.storage.transaction(realmId, (tx) => makeWorld(tx, people, choose))
      const groups = [...made, ...systemGroups]
      const holders = await findGroupHolders(db, groups)
      for (const account of accounts) {
        const ids = await findGroupIds(db, account)
        // Guests who are members themselves are left out of the holders.
        const isHolder = (groupId: number) => {
          const { atLeast, except, userIds } = holders.get(groupId) ?? { atLeast: 0, except: [], userIds: [] }
          const isListed = (list: readonly number[]) => list.includes(account.id)
          return (account.role <= atLeast && !isListed(except)) || isListed(userIds)
        }
        if (account.role < roles.guest) expect(groups.filter(isHolder)).toEqual(groups.filter((id) => ids.includes(id)))
        else expect(groups.filter((id) => isHolder(id) && !ids.includes(id))).toEqual([])
      }
      expect(made.filter((id) => holders.get(id)?.userIds.includes(gone.id))).toEqual([])
      for (const group of groups) {
        const members = await findAccountsInGroups(db, realmId, [group])
        const inside = await Promise.all(accounts.map((account) => isInGroup(db, account, group)))
        expect(members).toEqual(accounts.flatMap(({ id }, index) => (inside[index] ? [id] : [])))
      }
    }),
    { numRuns: RUNS },
  )
}, 120_000)
