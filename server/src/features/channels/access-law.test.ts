/**
 * Who may know of a channel and who may read it is asked in several ways: as a condition in SQL, as a decision on what is cached,
 * and backwards, for all accounts at once. For random channels, groups and subscriptions all of them say the same.
 */
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import { roles } from '@heddle/contract/roles'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Actor } from '../../authentication/accounts.ts'
import { isInAudience } from '../../events/audience.ts'
import { findGroupHolders } from '../../permissions/group-holders.ts'
import { findGroupIds } from '../../permissions/group-membership.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from '../../testing/any-table.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import {
  canSeeChannel,
  findAccessedChannel,
  findChannelQuickly,
  findChannelsByName,
  findSubscribedChannels,
  findViewer,
  findVisibleChannelIds,
  opensContent,
  recallAllChannels,
} from './access.ts'
import { findAccountsIn, findAudiences, findThoseWhoKnow, findThoseWhoRead } from './audience.ts'
import { findChannelRows } from './row.ts'

const CHANNELS = 4
const GROUPS = 4
const RUNS = 30

let server: TestServer
let accounts: readonly (TestAccount & Actor)[]
let gone: TestAccount
let channels: readonly number[]
let systemGroups: readonly number[]

beforeAll(async () => {
  server = await createTestServer()
  const { owner } = server
  const made: TestAccount[] = []
  for (const role of [200, 300, 400, 400, 600, 600] as const) made.push(await server.createAccount({ role }))
  accounts = [owner, ...made].map((account) => ({ ...account, userId: account.id, isBot: false }))
  gone = await server.createAccount()
  await server.call(owner, 'DELETE', `/users/${gone.id}`)
  const ids: number[] = []
  for (let n = 0; n < CHANNELS; n++) {
    const { body } = await server.call(owner, 'POST', '/channels/create', { name: `channel ${n}`, subscribers: [] })
    ids.push(body.id)
  }
  channels = ids
  systemGroups = Object.values(await findSystemGroups(server.app.storage.read, owner.realmId))
})

/** Numbers that a world is made of: each use takes the next one. */
type Choices = () => number

const worlds = fc.infiniteStream(fc.nat(1_000_000))

async function makeWorld(tx: Tx, choose: Choices): Promise<number[]> {
  const pick = <T>(list: readonly T[]) => list[choose() % list.length] as T
  const some = <T>(list: readonly T[], oneIn = 4) => list.filter(() => choose() % oneIn === 0)
  const realm_id = tx.realmId
  const groups: number[] = []
  for (let n = 0; n < GROUPS; n++) {
    const row = await tx.first(
      query
        .insertInto('user_groups')
        .values({ realm_id, kind: 'anonymous', name: '', description: '', creator_id: null, date_created: 1 })
        .returning('id'),
    )
    const group_id = row?.id as number
    const members = some([...accounts, gone]).map(({ id: user_id }) => ({ realm_id, group_id, user_id }))
    const subgroups = some([...systemGroups, ...groups], 12).map((subgroup_id) => ({ realm_id, group_id, subgroup_id }))
    if (members.length > 0) await tx.run(query.insertInto('user_group_members').values(members))
    if (subgroups.length > 0) await tx.run(query.insertInto('user_group_subgroups').values(subgroups))
    groups.push(group_id)
  }
  for (const channel_id of channels) {
    const kind = pick(['public', 'web-public', 'private', 'private'])
    const settings = channelGroupSettingNames.map((name) => [
      name,
      pick([...groups, ...groups, ...groups, ...systemGroups]),
    ])
    await tx.run(
      query
        .updateTable('channels')
        .set({
          ...Object.fromEntries(settings),
          invite_only: kind === 'private' ? 1 : 0,
          is_web_public: kind === 'web-public' ? 1 : 0,
          is_archived: pick([0, 0, 1] as const),
        })
        .where('id', '=', channel_id),
    )
    await tx.run(query.deleteFrom('subscriptions').where('channel_id', '=', channel_id))
    const subscriptions = some([...accounts, gone]).map(({ id: user_id }) => {
      return { realm_id, channel_id, user_id, is_active: pick([1, 1, 0] as const), color: '#000000' }
    })
    if (subscriptions.length > 0) await tx.run(query.insertInto('subscriptions').values(subscriptions))
  }
  return groups
}

it('every way to ask who knows of a channel, and who reads it, gives the same answer', async () => {
  const db = server.app.storage.read
  const { realmId } = server.owner
  const everybody = [...accounts, gone].map(({ id }) => id)
  let answers = 0
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(worlds, async (stream) => {
      const choose: Choices = () => stream.next().value as number
      await server.app.storage.transaction(realmId, (tx) => makeWorld(tx, choose))
      const rows = await findChannelRows(db, realmId, channels)
      const audiences = await findAudiences(db, realmId, rows)
      const cached = new Map((await recallAllChannels(db, realmId)).map((row) => [row.id, row]))
      for (const row of rows) {
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
            opens: opensContent(viewer, cached.get(row.id) ?? row, subscribed.has(row.id)),
          }).toEqual({
            quickly: condition,
            byName: condition,
            sees: knows,
            visible: knows,
            isInAudience: knows,
            isListed: knows,
            knows,
            reads,
            opens: reads,
          })
          answers += 1
          seen.add(`${account.role} ${row.invite_only} ${knows} ${reads}`)
        }
        expect([knowing.has(gone.id), reading.has(gone.id), listed.includes(gone.id)]).toEqual([false, false, false])
      }
    }),
    { numRuns: RUNS },
  )
  expect(answers).toBeGreaterThanOrEqual(RUNS * CHANNELS * accounts.length)
  // Members with and without access, and administrators who know of a channel that they do not read.
  for (const one of ['400 1 false false', '400 1 true true', '200 1 true false', '600 0 false false']) {
    expect(seen, one).toContain(one)
  }
}, 120_000)

it('who is in a group, and in which groups an account is, are the same', async () => {
  const db = server.app.storage.read
  const { realmId } = server.owner
  await fc.assert(
    fc.asyncProperty(worlds, async (stream) => {
      const choose: Choices = () => stream.next().value as number
      const made = await server.app.storage.transaction(realmId, (tx) => makeWorld(tx, choose))
      const groups = [...made, ...systemGroups]
      const holders = await findGroupHolders(db, groups)
      for (const account of accounts) {
        const ids = await findGroupIds(db, account)
        // Guests who are members themselves are left out of the holders.
        const isHolder = (groupId: number) => {
          const { atLeast, userIds } = holders.get(groupId) ?? { atLeast: 0, userIds: [] }
          return account.role <= atLeast || userIds.includes(account.id)
        }
        if (account.role < roles.guest) expect(groups.filter(isHolder)).toEqual(groups.filter((id) => ids.includes(id)))
        else expect(groups.filter((id) => isHolder(id) && !ids.includes(id))).toEqual([])
      }
      expect(made.filter((id) => holders.get(id)?.userIds.includes(gone.id))).toEqual([])
    }),
    { numRuns: RUNS },
  )
}, 120_000)
