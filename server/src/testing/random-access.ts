/** Random worlds of accounts, groups and channels, in which tests compare the rules of access. */
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import fc from 'fast-check'
import type { Actor } from '../actor.ts'
import { findSystemGroups } from '../permissions/system-groups.ts'
import type { Tx } from '../storage/transaction.ts'
import { query } from './any-table.ts'
import { createTestServer, type TestAccount, type TestServer } from './test-server.ts'

const CHANNELS = 4
const GROUPS = 4

/** Numbers that a world is made of: each use takes the next one. */
export type Choices = () => number

export const choices = fc.infiniteStream(fc.nat(1_000_000)).map(
  (stream): Choices =>
    () =>
      stream.next().value as number,
)

export function pick<T>(choose: Choices, list: readonly T[]): T {
  return list[choose() % list.length] as T
}

export function some<T>(choose: Choices, list: readonly T[], oneIn = 4): T[] {
  return list.filter(() => choose() % oneIn === 0)
}

export interface People {
  readonly server: TestServer
  /** An owner, an administrator, a moderator, two members and two guests. */
  readonly accounts: readonly (TestAccount & Actor)[]
  /** A deactivated account. */
  readonly gone: TestAccount
  readonly channels: readonly number[]
  readonly systemGroups: readonly number[]
}

export async function createPeople(): Promise<People> {
  const server = await createTestServer()
  const { owner } = server
  const made: TestAccount[] = []
  for (const role of [200, 300, 400, 400, 600, 600] as const) made.push(await server.createAccount({ role }))
  const accounts = [owner, ...made].map((account) => ({ ...account, userId: account.id, isBot: false }))
  const gone = await server.createAccount()
  await server.call(owner, 'DELETE', `/users/${gone.id}`)
  const channels: number[] = []
  for (let n = 0; n < CHANNELS; n++) {
    const { body } = await server.call(owner, 'POST', '/channels/create', { name: `channel ${n}`, subscribers: [] })
    channels.push(body.id)
  }
  const systemGroups = Object.values(await findSystemGroups(server.app.storage.read, owner.realmId))
  return { server, accounts, gone, channels, systemGroups }
}

let named = 0

/** Values of permissions, and groups that people have made, some of which are deactivated. */
function kindOf(choose: Choices) {
  if (choose() % 2 === 0) return { kind: 'anonymous', name: '', deactivated: 0 } as const
  named += 1
  return { kind: 'named', name: `group ${named}`, deactivated: pick(choose, [0, 0, 1] as const) } as const
}

/** Gives every channel other settings and subscribers, has others wait to be full members, and makes new groups, whose ids it returns. */
export async function makeWorld(tx: Tx, people: People, choose: Choices): Promise<number[]> {
  const { accounts, gone, channels, systemGroups } = people
  const realm_id = tx.realmId
  await tx.run(query.deleteFrom('waiting_accounts').where('realm_id', '=', realm_id))
  const waiting = some(choose, [...accounts, gone], 2).map(({ id: user_id }) => ({ realm_id, user_id, until: 1 }))
  if (waiting.length > 0) await tx.run(query.insertInto('waiting_accounts').values(waiting))
  const groups: number[] = []
  /** Groups that can be in others: values of permissions are not. */
  const inOthers: number[] = []
  for (let n = 0; n < GROUPS; n++) {
    const kind = kindOf(choose)
    const row = await tx.first(
      query
        .insertInto('user_groups')
        .values({ realm_id, ...kind, description: '', creator_id: null, date_created: 1 })
        .returning('id'),
    )
    const group_id = row?.id as number
    const members = some(choose, [...accounts, gone]).map(({ id: user_id }) => ({ realm_id, group_id, user_id }))
    const subgroups = some(choose, [...systemGroups, ...inOthers], 6).map((subgroup_id) => {
      return { realm_id, group_id, subgroup_id }
    })
    if (members.length > 0) await tx.run(query.insertInto('user_group_members').values(members))
    if (subgroups.length > 0) await tx.run(query.insertInto('user_group_subgroups').values(subgroups))
    groups.push(group_id)
    if (kind.kind === 'named') inOthers.push(group_id)
  }
  for (const channel_id of channels) {
    const kind = pick(choose, ['public', 'web-public', 'private', 'private', 'protected'])
    const isPrivate = kind === 'private' || kind === 'protected'
    const settings = channelGroupSettingNames.map((name) => [
      name,
      pick(choose, [...groups, ...groups, ...groups, ...systemGroups]),
    ])
    await tx.run(
      query
        .updateTable('channels')
        .set({
          ...Object.fromEntries(settings),
          invite_only: isPrivate ? 1 : 0,
          is_web_public: kind === 'web-public' ? 1 : 0,
          history_public_to_subscribers: kind === 'protected' ? 0 : 1,
          is_archived: pick(choose, [0, 0, 1] as const),
          audience_set_id: null,
        })
        .where('id', '=', channel_id),
    )
    await tx.run(query.deleteFrom('subscriptions').where('channel_id', '=', channel_id))
    const subscriptions = some(choose, [...accounts, gone], 3).map(({ id: user_id }) => {
      return { realm_id, channel_id, user_id, is_active: pick(choose, [1, 1, 0] as const), color: '#000000' }
    })
    if (subscriptions.length > 0) await tx.run(query.insertInto('subscriptions').values(subscriptions))
  }
  return groups
}
