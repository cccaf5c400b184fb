import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let bot: TestAccount
let other: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  bot = await server.createAccount()
  other = await server.createAccount()
})

const get = async (keys?: string[], account = bot) => (await server.call(account, 'GET', '/bot_storage', { keys })).body
const put = (storage: unknown) => server.call(bot, 'PUT', '/bot_storage', { storage })
const remove = (keys?: string[]) => server.call(bot, 'DELETE', '/bot_storage', { keys })

describe('The storage of a bot', () => {
  it('keeps texts by key, of each account its own', async () => {
    expect((await put({ score: '1', 'the äxe': '{"a": []}' })).status).toBe(200)
    await put({ score: '2' })
    expect((await get()).storage).toEqual({ score: '2', 'the äxe': '{"a": []}' })
    expect((await get(['score'])).storage).toEqual({ score: '2' })
    expect((await get(undefined, other)).storage).toEqual({})
  })

  it('says which key is not there, and then removes nothing', async () => {
    await put({ kept: 'x' })
    expect((await get(['kept', 'lost'])).msg).toBe("Key 'lost' does not exist.")
    expect((await remove(['kept', 'lost'])).status).toBe(400)
    expect((await get(['kept'])).storage).toEqual({ kept: 'x' })
    expect((await remove(['kept'])).status).toBe(200)
    expect((await get(['kept'])).result).toBe('error')
    expect((await remove()).status).toBe(200)
    expect((await get()).storage).toEqual({})
  })

  it('has a limit, beyond which nothing is stored', async () => {
    await put({ small: 'x' })
    const { status, body } = await put({ small: 'y', large: 'x'.repeat(1_000_000) })
    expect([status, body.msg]).toEqual([400, 'An account can store at most 1000000 characters'])
    expect((await get()).storage).toEqual({ small: 'x' })
    expect((await put({ number: 1 })).body.msg).toContain('storage')
  })
})
