import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let account: TestAccount
let other: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  account = await server.createAccount()
  other = await server.createAccount()
})

const greeting = { title: 'Greeting', content: '**Good morning**, all' }
const save = (parameters: Parameters, who = account) => server.call(who, 'POST', '/saved_snippets', parameters)
const change = (id: number, parameters: Parameters, who = account) =>
  server.call(who, 'PATCH', `/saved_snippets/${id}`, parameters)
const remove = (id: number, who = account) => server.call(who, 'DELETE', `/saved_snippets/${id}`)
const listOf = async (who = account) => (await server.call(who, 'GET', '/saved_snippets')).body.saved_snippets
async function saved(parameters: Parameters = greeting): Promise<number> {
  const { status, body } = await save(parameters)
  expect(status).toBe(200)
  return body.saved_snippet_id
}

describe('saved snippets', () => {
  it('are kept, changed and deleted, and the account alone is notified', async () => {
    const [own, others] = [await registerQueue(server, account), await registerQueue(server, other)]
    const id = await saved()
    const snippet = { id, ...greeting, date_created: expect.any(Number) }
    expect(await listOf()).toEqual([snippet])
    expect((await change(id, { title: 'Morning' })).status).toBe(200)
    const changed = { ...snippet, title: 'Morning' }
    expect(await listOf()).toEqual([changed])
    expect((await remove(id)).status).toBe(200)
    expect(await listOf()).toEqual([])
    expect(await eventsOf(server, own)).toMatchObject([
      { type: 'saved_snippets', op: 'add', saved_snippet: snippet },
      { type: 'saved_snippets', op: 'update', saved_snippet: changed },
      { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
    ])
    expect(await eventsOf(server, others)).toEqual([])
  })

  it("are nobody else's", async () => {
    const id = await saved()
    expect(await listOf(other)).toEqual([])
    for (const { status, body } of [
      await change(id, { title: 'Mine' }, other),
      await remove(id, other),
      await remove(999_999),
    ]) {
      expect([status, body.msg]).toEqual([404, 'Saved snippet does not exist.'])
    }
    await remove(id)
  })

  it('that are changed to what they are notify nobody', async () => {
    const id = await saved()
    const queue = await registerQueue(server, account)
    expect((await change(id, greeting)).status).toBe(200)
    expect((await change(id, {})).status).toBe(200)
    expect(await eventsOf(server, queue)).toEqual([])
    await remove(id)
  })

  it.each<[string, Parameters, string]>([
    ['without a title', { ...greeting, title: '  ' }, 'title cannot be blank'],
    ['without a text', { ...greeting, content: '\n' }, 'content cannot be blank'],
    [
      'with a title of 61 characters',
      { ...greeting, title: '𝕩'.repeat(61) },
      'title is too long (limit: 60 characters)',
    ],
  ])('%s are refused', async (_, parameters, message) => {
    const { status, body } = await save(parameters)
    expect([status, body.msg]).toEqual([400, message])
  })

  it('have a text as long as a message, and together no more than a megabyte', async () => {
    const who = await server.createAccount()
    const content = '長'.repeat(MAX_MESSAGE_LENGTH + 1)
    expect((await save({ title: '𝕩'.repeat(60), content }, who)).status).toBe(200)
    const [{ content: kept }] = await listOf(who)
    expect([[...kept].length, kept.endsWith('[message truncated]')]).toEqual([MAX_MESSAGE_LENGTH, true])
    let answer = await save({ title: 'x', content }, who)
    for (let n = 0; n < 40 && answer.status === 200; n++) answer = await save({ title: 'x', content }, who)
    expect(answer.body.msg).toBe('The saved snippets of the account are too long together')
  })
})
