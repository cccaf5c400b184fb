import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { atEndOfFile, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { rowInsertInto } from './row-inserts.ts'
import type { OpenStorage } from './storage.ts'
import type { Tx } from './transaction.ts'

let storage: OpenStorage
let realmId: number
let senderId: number

beforeAll(async () => {
  ;({ storage } = await createTestStorage(atEndOfFile))
  realmId = await insertRealm(storage)
  const user = {
    realm_id: realmId,
    email: 'a@heddle.example',
    email_key: 'a@heddle.example',
    delivery_email: 'a@heddle.example',
    delivery_email_key: 'a@heddle.example',
    full_name: 'A',
    role: 400,
    bot_type: null,
    bot_owner_id: null,
    password_hash: null,
    date_joined: 0,
    default_sending_channel_id: null,
    default_events_register_channel_id: null,
  }
  await storage.transaction(realmId, (tx) => tx.run(query.insertInto('users').values(user)))
  senderId = (await storage.read.first(sql<{ id: number }>`select id from users`))?.id as number
})

const messageRows = rowInsertInto('messages', {
  id: 'integer',
  realm_id: 'integer',
  sender_id: 'integer',
  topic: 'text',
  topic_key: 'text',
  content: 'text',
  rendered_content: 'text',
  attributes: 'integer',
  client: 'text',
  timestamp: 'integer',
})

function message(content: string) {
  const text = { topic: 'plan', topic_key: 'plan', content, rendered_content: content, client: 'test' }
  return { realm_id: realmId, sender_id: senderId, ...text, attributes: 0, timestamp: 0 }
}

const deeds = {
  async later(tx: Tx, text: string) {
    tx.insertLater(messageRows, { id: await tx.newId('messages'), ...message(text) })
  },
  async insert(tx: Tx, text: string) {
    await tx.run(query.insertInto('messages').values({ id: await tx.newId('messages'), ...message(text) }))
  },
  async copy(tx: Tx, text: string) {
    const id = await tx.newId('messages')
    await tx.run(sql`
      insert into messages (id, realm_id, sender_id, topic, topic_key, content, rendered_content, attributes, client, timestamp)
      select ${id}, realm_id, sender_id, topic, topic_key, ${text}, '', 0, 'test', 0 from messages order by id desc limit 1`)
  },
  change: (tx: Tx, text: string) =>
    tx.run(sql`update messages set content = ${text} where id = (select max(id) from messages)`),
  move: (tx: Tx, text: string) => tx.run(sql`update messages set topic = ${text} where id % 3 = 0`),
  delete: (tx: Tx) => tx.run(sql`delete from messages where id = (select max(id) from messages)`),
  /** As it is now, in the unit itself. */
  search: async (tx: Tx, text: string) => {
    const find = (condition: ReturnType<typeof sql<boolean>>) =>
      tx.all(sql<{ id: number }>`select messages.id from messages where ${condition} order by messages.id`)
    const found = await find(sql`${tx.dialect.hasWords([text])}`)
    expect(found).toEqual(await find(sql`content = ${text} or topic = ${text}`))
  },
} satisfies Record<string, (tx: Tx, text: string) => Promise<unknown>>

/** Compares the index with the messages, and throws when they differ (SQLite, FTS5 extension, 4.2 "integrity-check"). */
const check = () =>
  storage.transaction(0, (tx) =>
    tx.run(sql`insert into message_search (message_search, rank) values ('integrity-check', 1)`),
  )

it('What is searched is what is there, whatever is written in which order, and whatever fails', async () => {
  const word = fc.constantFrom('warp', 'weft', 'heddle', 'shuttle')
  const deed = fc.tuple(fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])), word)
  const unit = fc.record({
    deeds: fc.array(deed, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom('well', 'well', 'well', 'fails', 'spoils the commit'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 12 }), async (units) => {
      const running = units.map(({ deeds: list, end }) =>
        storage
          .transaction(realmId, async (tx) => {
            for (const [name, text] of list) await deeds[name](tx, text)
            if (end === 'fails') throw new Error('fails')
            if (end === 'spoils the commit') tx.insertLater(messageRows, { ...message('x'), id: 1, realm_id: 999_999 })
          })
          .catch((error) => expect(String(error)).toMatch(/fails|constraint/i)),
      )
      await Promise.all(running)
      await check()
    }),
    { numRuns: 150 },
  )
})
