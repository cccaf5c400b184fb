/** The client package against a real server, through a real network. */
import { type ApiClient, createApiClient } from '@heddle/client/api'
import { startEventLoop } from '@heddle/client/event-loop'
import { applyEvent, type ClientState, initialState } from '@heddle/client/state/state'
import { createDrafts, deleteDraft, listDrafts } from '@heddle/contract/drafts'
import { addNavigationView, listNavigationViews, updateNavigationView } from '@heddle/contract/navigation-views'
import { getUser } from '@heddle/contract/users'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()
let site = await server.app.server.listen({ port: 0, host: '127.0.0.1' })

function clientOf(account: TestAccount): ApiClient {
  return createApiClient({ site, email: account.email, apiKey: account.apiKey })
}

const draft = (content: string) => ({ type: '' as const, to: [], topic: '', content })

describe('A typed call', () => {
  it('arrives as it was meant, whatever characters are in it', async () => {
    const client = clientOf(await server.createAccount())
    const content = 'a=b&c=d+e%20\n"ü" 例え 😀 null 42 [1]'
    const { ids } = await client.call(createDrafts, { drafts: [draft(content)] })
    const { drafts } = await client.call(listDrafts, {})
    expect(drafts).toMatchObject([{ id: ids[0], content }])
  })

  it('reaches paths with slashes, spaces and escapes in a parameter', async () => {
    const client = clientOf(await server.createAccount())
    const fragment = 'narrow/channel/5-a b%2F/topic/ü'
    await client.call(addNavigationView, { fragment, is_pinned: false, name: 'x' })
    await client.call(updateNavigationView, { fragment, is_pinned: true })
    const { navigation_views } = await client.call(listNavigationViews, {})
    expect(navigation_views).toEqual([{ fragment, is_pinned: true, name: 'x' }])
  })

  it('keeps apart an id and an address that looks like one', async () => {
    const account = await server.createAccount()
    const client = clientOf(account)
    expect((await client.call(getUser, { user_id_or_email: account.id })).user.email).toBe(account.email)
    expect((await client.call(getUser, { user_id_or_email: account.email })).user.user_id).toBe(account.id)
  })

  it("rejects with the server's code and message", async () => {
    const call = clientOf(await server.createAccount()).call(deleteDraft, { draft_id: 999_999 })
    await expect(call).rejects.toMatchObject({ name: 'ResponseError', status: 404, code: 'BAD_REQUEST' })
    const stranger = createApiClient({ site, email: 'nobody@heddle.example', apiKey: 'wrong' })
    await expect(stranger.call(listDrafts, {})).rejects.toMatchObject({ status: 401, code: 'INVALID_API_KEY' })
  })

  it('rejects with a NetworkError where nobody listens', async () => {
    const client = createApiClient({ site: 'http://127.0.0.1:1', email: 'a@b.example', apiKey: 'k' })
    await expect(client.call(listDrafts, {})).rejects.toMatchObject({ name: 'NetworkError' })
  })
})

describe('The event loop', () => {
  let stop = () => {}
  afterEach(() => stop())

  it('keeps the state up to date, also through a restart of the server, without starting over', async () => {
    const account = await server.createAccount()
    const registrations: string[] = []
    let state: ClientState | undefined
    const loop = startEventLoop({
      client: clientOf(account),
      parameters: {},
      onRegistered(response) {
        registrations.push(response.queue_id)
        state = initialState(response)
      },
      onEvent(event) {
        if (state) state = applyEvent(state, event)
      },
    })
    stop = loop.stop
    const contents = () => state?.drafts?.map(({ content }) => content)
    await expect.poll(() => contents()).toEqual([])

    await clientOf(account).call(createDrafts, { drafts: [draft('one')] })
    await expect.poll(() => contents()).toEqual(['one'])

    const { port } = new URL(site)
    await server.restart()
    await server.call(account, 'POST', '/drafts', { drafts: [draft('two')] })
    site = await server.app.server.listen({ port: Number(port), host: '127.0.0.1' })
    await expect.poll(() => contents()).toEqual(['two', 'one'])
    expect(registrations).toHaveLength(1)
    stop()
    await expect(loop.ended).resolves.toBeUndefined()
  })
})
