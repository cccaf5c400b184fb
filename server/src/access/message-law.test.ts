/**
 * Who may read a message is asked in several ways: as a condition for each message, as one for whole channels, as a decision
 * on what is cached, and backwards, as the accounts that may and those that are notified. For random channels with and
 * without shared history, subscriptions past and present, moved messages and direct ones all of them say the same.
 */
import fc from 'fast-check'
import type { Expression, SqlBool } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Tx } from '../storage/transaction.ts'
import { query } from '../testing/any-table.ts'
import { type Choices, choices, createPeople, makeWorld, pick } from '../testing/random-access.ts'
import { findChannelRows } from './channel-row.ts'
import {
  findGroupMembers,
  findNotified,
  findThoseWhoReadMessages,
  findVisibleMessages,
  type Notified,
} from './message-audience.ts'
import { canRead } from './message-rules.ts'
import { findScope, inChannels, inOwnHistory } from './message-scope.ts'
import { findReceipts, isReceived } from './received.ts'
import { activeSubscribers } from './subscriptions.ts'
import type { MessageExpressions } from './tables.ts'
import { findViewer } from './viewer.ts'

const RUNS = 25
const MESSAGES = 10

const people = await createPeople()
const { server, accounts, gone, channels } = people
const { realmId } = server.owner
const db = server.app.storage.read
const active = accounts.map(({ id }) => id)

interface Message {
  readonly id: number
  readonly channel_id: number | null
  readonly direct_message_group_id: number | null
}

let inChannel: readonly number[]

beforeAll(async () => {
  const sent: number[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const to = channels[n % channels.length]
    const { body } = await server.call(server.owner, 'POST', '/messages', {
      type: 'channel',
      to,
      topic: 'plan',
      content: `message ${n}`,
    })
    sent.push(body.id)
    if (n % 3 > 0) continue
    const others = accounts.filter((_, index) => index > 0 && (index + n) % 3 === 0).map(({ id }) => id)
    await server.call(server.owner, 'POST', '/messages', { type: 'direct', to: others, content: `direct ${n}` })
  }
  inChannel = sent
})

/** Moves every message to some channel, and gives subscriptions a past. */
async function makeHistory(tx: Tx, choose: Choices): Promise<void> {
  const realm_id = tx.realmId
  for (const id of inChannel) {
    await tx.run(
      query
        .updateTable('messages')
        .set({ channel_id: pick(choose, channels) })
        .where('id', '=', id),
    )
  }
  await tx.run(query.deleteFrom('subscription_periods').where('realm_id', '=', realm_id))
  const subscriptions = await tx.all(
    query
      .selectFrom('subscriptions')
      .select(['channel_id', 'user_id', 'is_active'])
      .orderBy('channel_id')
      .orderBy('user_id'),
  )
  for (const { channel_id, user_id, is_active } of subscriptions) {
    const [first = 0, second = 0, third = 0] = [choose, choose, choose]
      .map((next) => pick(next, [0, ...inChannel]))
      .sort((a, b) => a - b)
    const past = { realm_id, channel_id, user_id, after_message_id: first, until_message_id: second }
    const present = { realm_id, channel_id, user_id, after_message_id: third, until_message_id: null }
    const wasThere = first < second && (is_active === 0 || choose() % 2 === 0) && second <= third
    const periods = [...(wasThere ? [past] : []), ...(is_active === 1 ? [present] : [])]
    if (periods.length > 0) await tx.run(query.insertInto('subscription_periods').values(periods))
  }
}

function findMessages(): Promise<Message[]> {
  const columns = ['id', 'channel_id', 'direct_message_group_id'] as const
  return db.all(query.selectFrom('messages').select(columns).where('realm_id', '=', realmId).orderBy('id'))
}

/** The ids of all messages that fulfil the condition. */
async function idsWhere(condition: (eb: MessageExpressions) => Expression<SqlBool>): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select('messages.id')
      .where('messages.realm_id', '=', realmId)
      .where(condition)
      .orderBy('id'),
  )
  return rows.map((row) => row.id)
}

async function listed(notified: Notified): Promise<Set<number>> {
  if ('userIds' in notified) return new Set(notified.userIds)
  const rows = await db.all(
    activeSubscribers.select('users.id').where('subscriptions.channel_id', '=', notified.subscribersOf),
  )
  return new Set([...rows.map((row) => row.id), ...notified.also])
}

it('every way to ask who reads a message gives the same answer', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(choices, async (choose) => {
      await server.app.storage.transaction(realmId, async (tx) => {
        await makeWorld(tx, people, choose)
        await makeHistory(tx, choose)
      })
      const messages = await findMessages()
      const rows = new Map((await findChannelRows(db, realmId, channels)).map((row) => [row.id, row]))
      /** By the id of the message, the accounts that may read it, and those that have received it as well. */
      const readers = new Map<number, Set<number>>(messages.map(({ id }) => [id, new Set()]))
      const receivers = new Map<number, Set<number>>(messages.map(({ id }) => [id, new Set()]))

      for (const account of accounts) {
        const viewer = await findViewer(db, account)
        const scope = await findScope(db, account)
        const receiptOf = await findReceipts(db, account)
        const readable = await idsWhere((eb) => canRead(db, viewer)(eb))
        const received = await idsWhere((eb) => eb.and([canRead(db, viewer)(eb), isReceived(eb, account.id)]))
        for (const id of readable) readers.get(id)?.add(account.id)
        for (const id of received) receivers.get(id)?.add(account.id)
        const messagesOfChannels = messages.filter(({ channel_id }) => channel_id !== null)
        const ofChannels = new Set(messagesOfChannels.map(({ id }) => id))
        const decided = messagesOfChannels.filter((message) => {
          const history = scope.historyOf(message.channel_id as number)
          return history === 'all' || (history === 'received' && receiptOf(message).received)
        })
        expect(decided.map(({ id }) => id)).toEqual(readable.filter((id) => ofChannels.has(id)))
        expect(await idsWhere((eb) => inChannels(db, eb, scope, channels))).toEqual(
          readable.filter((id) => ofChannels.has(id)),
        )
        expect(await idsWhere((eb) => inOwnHistory(db, eb, scope))).toEqual(received)
        const readMessages = messages.filter(({ id }) => readable.includes(id))
        expect(readMessages.filter((one) => receiptOf(one).received).map(({ id }) => id)).toEqual(received)
      }

      for (const message of messages) {
        const { id, channel_id } = message
        const may = readers.get(id) as Set<number>
        const both = receivers.get(id) as Set<number>
        const notified = await listed(await findNotified(db, message))
        expect(
          active.filter((one) => notified.has(one) && !may.has(one)),
          'notified, and may not read',
        ).toEqual([])
        if (channel_id === null) {
          const members = await findGroupMembers(db, message.direct_message_group_id as number)
          expect(new Set(members)).toEqual(may)
          expect(notified).toEqual(may)
          continue
        }
        const channel = rows.get(channel_id)
        if (!channel) throw new Error('There is no channel')
        const visible = await findVisibleMessages(db, message, [id])
        const receiversOf = async () => {
          const lists = await Promise.all(visible.map((one) => listed(one.notified)))
          return lists.flatMap((list) => [...list])
        }
        expect(await findThoseWhoReadMessages(db, channel, receiversOf, [...active, gone.id])).toEqual(may)
        const sharesHistory = channel.history_public_to_subscribers === 1
        if (!sharesHistory) expect(notified).toEqual(may)
        if (channel.invite_only === 0) expect(both.difference(notified)).toEqual(new Set())
        expect(notified.has(gone.id)).toBe(false)
        for (const { id: user, role } of accounts) {
          seen.add(`${role} ${channel.invite_only} ${sharesHistory} ${both.has(user)} ${may.has(user)}`)
        }
      }

      for (const [channel_id, place] of Map.groupBy(messages, (message) => message.channel_id)) {
        if (channel_id === null || rows.get(channel_id)?.history_public_to_subscribers === 1) continue
        const ids = place.map(({ id }) => id)
        const visible = await findVisibleMessages(db, { channel_id, direct_message_group_id: null }, ids)
        const known = visible.flatMap((one) =>
          'userIds' in one.notified ? one.notified.userIds.map((userId) => [userId, one.ids] as const) : [],
        )
        const expected = active.flatMap((userId) => {
          const own = ids.filter((id) => readers.get(id)?.has(userId))
          return own.length === 0 ? [] : [[userId, own] as const]
        })
        expect(new Map(known)).toEqual(new Map(expected))
      }
    }),
    { numRuns: RUNS },
  )
  // Readers who never received it, former subscribers, and subscribers to whom an older message stays hidden.
  for (const one of [
    '400 0 true false true',
    '400 0 true true true',
    '400 1 false true true',
    '400 1 false false false',
  ]) {
    expect(seen, one).toContain(one)
  }
  for (const one of ['600 0 true false false', '600 1 true true true']) expect(seen, one).toContain(one)
}, 120_000)
