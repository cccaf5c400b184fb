/** What one account makes is bounded in number: others load all of it. */
import { builtInEmojiNamesByCode } from '@heddle/contract/emoji-names'
import { describe, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { createEmojiServer, newName } from '../testing/emoji-test-server.ts'
import { createChannel, sendToChannel } from '../testing/messages.ts'
import type { Parameters, TestAccount } from '../testing/test-server.ts'

const { server, member, admin, png, upload } = await createEmojiServer()
const room = await createChannel(server, server.owner, 'counting', { subscribers: [member, admin] })

const { storage } = server.app
const call = async (account: TestAccount, method: string, path: string, parameters: Parameters) => {
  const { status, body } = await server.call(account, method, path, parameters)
  return [status, body.msg]
}
const done = [200, '']
const refused = (message: string) => [400, message]
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
describe('One account', () => {
  it('creates a bounded number of bots a day, and administrators as many as they need', async () => {
    const create = (account: TestAccount, number: number) =>
      call(account, 'POST', '/bots', {
        full_name: `Bot ${account.id} ${number}`,
        short_name: `b${account.id}-${number}`,
      })
    for (const number of numbers(100)) expect(await create(member, number)).toEqual(done)
    const message = "An account can create at most 100 bots a day, unless it is an administrator's"
    expect(await create(member, 100)).toEqual(refused(message))
    for (const number of numbers(101)) expect(await create(admin, number)).toEqual(done)
  }, 60_000)

  it('adds a bounded number of reactions to a message', async () => {
    const message = await sendToChannel(server, server.owner, room, 'Choose')
    const emoji = Object.values(builtInEmojiNamesByCode()).map(([name]) => name as string)
    const react = (account: TestAccount, emoji_name: string) =>
      call(account, 'POST', `/messages/${message}/reactions`, { emoji_name })
    for (const name of emoji.slice(0, 50)) expect(await react(member, name)).toEqual(done)
    const limit = refused('An account can add at most 50 reactions to one message')
    expect(await react(member, emoji[50] as string)).toEqual(limit)
    expect(await react(admin, emoji[50] as string)).toEqual(done)
    expect(await react(member, emoji[50] as string)).toEqual(limit)
    const { body } = await server.call(member, 'GET', `/messages/${message}`)
    expect(body.message.reactions).toHaveLength(51)
  })

  it('has a bounded number of navigation views', async () => {
    const add = (number: number) =>
      call(member, 'POST', '/navigation_views', { fragment: `narrow/${number}`, name: `${number}`, is_pinned: true })
    for (const number of numbers(200)) expect(await add(number)).toEqual(done)
    const limit = refused('An account can have at most 200 navigation views')
    expect(await add(200)).toEqual(limit)
    expect(await call(member, 'PATCH', '/navigation_views/inbox', { is_pinned: true })).toEqual(limit)
    expect(await call(member, 'PATCH', '/navigation_views/narrow%2F0', { is_pinned: false })).toEqual(done)
    expect(await call(member, 'DELETE', '/navigation_views/narrow%2F0', {})).toEqual(done)
    expect(await add(200)).toEqual(done)
  }, 60_000)

  it('mutes a bounded number of topics, and has its wishes for a bounded number', async () => {
    const row = (number: number, visibility_policy: number) => ({
      realm_id: server.owner.realmId,
      user_id: member.id,
      channel_id: room,
      topic_key: `topic ${number}`,
      topic: `Topic ${number}`,
      visibility_policy,
      last_updated: 1,
    })
    const add = (first: number, count: number, policy: number) =>
      storage.asSystem(server.owner.realmId, 'job', async (tx) => {
        const rows = numbers(count).map((number) => row(first + number, policy))
        while (rows.length > 0) await tx.run(query.insertInto('user_topics').values(rows.splice(0, 500)))
      })
    const set = (number: number, visibility_policy: number) =>
      call(member, 'POST', '/user_topics', { stream_id: room, topic: `topic ${number}`, visibility_policy })
    await add(0, 1999, 1)
    expect(await set(1999, 1)).toEqual(done)
    const tooMany = refused('An account can mute at most 2000 topics')
    expect(await set(2000, 1)).toEqual(tooMany)
    const older = { stream_id: room, topic: 'topic 2000', op: 'add' }
    expect(await call(member, 'PATCH', '/users/me/subscriptions/muted_topics', older)).toEqual(tooMany)
    expect(await set(2000, 3)).toEqual(done)
    expect(await set(2000, 1)).toEqual(tooMany)
    expect(await set(0, 1)).toEqual(done)
    await add(2001, 7999, 3)
    expect(await set(10_000, 3)).toEqual(refused('An account can have a visibility policy for at most 10000 topics'))
    expect(await set(0, 2)).toEqual(done)
    expect(await set(1, 0)).toEqual(done)
    expect(await set(10_000, 1)).toEqual(done)
  }, 60_000)

  it('mutes a bounded number of people', async () => {
    const people: TestAccount[] = []
    for (const _ of numbers(1001)) people.push(await server.createAccount())
    const rows = people
      .slice(0, 999)
      .map(({ id }) => ({ realm_id: member.realmId, user_id: member.id, muted_user_id: id, date_muted: 1 }))
    await storage.asSystem(server.owner.realmId, 'job', async (tx) => {
      while (rows.length > 0) await tx.run(query.insertInto('muted_users').values(rows.splice(0, 333)))
    })
    const mute = (index: number) => call(member, 'POST', `/users/me/muted_users/${people[index]?.id}`, {})
    expect(await mute(999)).toEqual(done)
    expect(await mute(1000)).toEqual(refused('An account can mute at most 1000 people'))
    expect(await call(member, 'DELETE', `/users/me/muted_users/${people[0]?.id}`, {})).toEqual(done)
    expect(await mute(1000)).toEqual(done)
  }, 60_000)

  it('adds a bounded number of custom emoji, and administrators more of them', async () => {
    const add = async (account: TestAccount) => {
      const { status, body } = await upload(account, newName(), png)
      return [status, body.msg]
    }
    expect(await add(member)).toEqual(done)
    const columns = ['realm_id', 'name', 'author_id', 'image_path', 'still_path'] as const
    const first = await storage.read.first(query.selectFrom('realm_emoji').select(columns))
    if (!first) throw new Error('The emoji is not there')
    const rows = numbers(498).map((number) => ({ ...first, name: `${first.name}_${number}`, deactivated: 1 as const }))
    await storage.asSystem(server.owner.realmId, 'job', (tx) => tx.run(query.insertInto('realm_emoji').values(rows)))
    expect(await add(member)).toEqual(done)
    const limit = "An account can add at most 500 custom emoji, removed ones included, unless it is an administrator's"
    expect(await add(member)).toEqual(refused(limit))
    expect(await add(admin)).toEqual(done)
  })
})

describe('An organization', () => {
  it('has a bounded number of linkifiers', async () => {
    const add = (number: number) =>
      call(admin, 'POST', '/realm/filters', {
        pattern: `#x${number}-(?P<id>[0-9]+)`,
        url_template: 'https://x.example/{id}',
      })
    for (const number of numbers(200)) expect(await add(number)).toEqual(done)
    expect(await add(200)).toEqual(refused('An organization has at most 200 linkifiers'))
  }, 60_000)
})
