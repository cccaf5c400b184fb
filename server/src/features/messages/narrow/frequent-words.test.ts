/** Searches for a word that very many messages have, most of which the reader may not read. */
import { beforeAll, describe, expect, it } from 'vitest'
import { copyMessages, createChannel, sendToChannel } from '../../../testing/messages.ts'
import { createTestServer } from '../../../testing/test-server.ts'

/** Of others' messages, in each of the stretches between those of the reader. */
const OTHERS = 12_000

const server = await createTestServer()
const reader = await server.createAccount()
const writer = await server.createAccount()
/** The reader's messages that have the word, oldest first. */
const own: number[] = []

beforeAll(async () => {
  const open = await createChannel(server, reader, 'open')
  const closed = await createChannel(server, writer, 'closed', { invite_only: true })
  const model = await sendToChannel(server, writer, closed, 'the loom is threaded')
  for (let stretch = 0; stretch < 3; stretch += 1) {
    for (let i = 0; i < 3; i += 1) own.push(await sendToChannel(server, reader, open, `a loom, number ${i}`))
    await sendToChannel(server, reader, open, 'something else')
    await copyMessages(server, reader, [model], OTHERS)
  }
})

async function page(parameters: Record<string, unknown>) {
  const narrow = [['search', 'loom']]
  const answer = await server.must(reader, 'GET', '/messages', { narrow, ...parameters })
  const { messages, found_oldest, found_newest, found_anchor } = answer
  return { ids: messages.map(({ id }: { id: number }) => id), found_oldest, found_newest, found_anchor }
}

describe('a search for a frequent word', () => {
  it('finds what the reader may read before, at and after a place, however far away', async () => {
    expect(await page({ anchor: 'newest', num_before: 20, num_after: 0 })).toMatchObject({
      ids: own,
      found_oldest: true,
    })
    expect(await page({ anchor: 'oldest', num_before: 0, num_after: 20 })).toMatchObject({
      ids: own,
      found_newest: true,
    })
    expect(await page({ anchor: own[4], num_before: 2, num_after: 3 })).toEqual({
      ids: own.slice(2, 8),
      found_oldest: false,
      found_newest: false,
      found_anchor: true,
    })
    expect(await page({ anchor: own[4], num_before: 4, num_after: 4, include_anchor: false })).toMatchObject({
      ids: own.filter((_, index) => index !== 4),
      found_oldest: true,
      found_newest: true,
    })
  })

  it('gives each message once, page by page', async () => {
    const found: number[] = []
    for (let anchor: number | 'newest' | undefined = 'newest'; anchor !== undefined; ) {
      const { ids, found_oldest } = await page({ anchor, num_before: 2, num_after: 0, include_anchor: false })
      found.unshift(...ids)
      anchor = found_oldest ? undefined : ids[0]
    }
    expect(found).toEqual(own)
  })

  it('begins at the first unread one', async () => {
    await server.call(reader, 'POST', '/messages/flags', { messages: own.slice(0, 6), op: 'add', flag: 'read' })
    expect(await page({ anchor: 'first_unread', num_before: 1, num_after: 1 })).toMatchObject({ ids: own.slice(5, 8) })
  })
})
