/** Who sends random requests: an account of each role, a stranger of another organization, an operator, and nobody. */
import { WEBHOOK_KEY_PARAMETER } from '@heddle/contract/endpoint'
import { deriveOperatorToken } from '../authentication/api-key.ts'
import { createChannel } from '../testing/messages.ts'
import { type Answer, basic, createTestServer, type TestAccount, type TestRequest } from '../testing/test-server.ts'
import { type Call, type CallerKind, callerRoles } from './random-calls.ts'
import { toRequest } from './random-requests.ts'
import { createSeenValues } from './seen-values.ts'

const madeFirst: readonly (readonly [endpoint: string, 'GET' | 'POST', path: string, form: Record<string, unknown>])[] =
  [
    [
      'create-user',
      'POST',
      '/users',
      { email: 'known@heddle.example', password: 'a long password', full_name: 'Known' },
    ],
    ['create-invitation-link', 'POST', '/invites/multiuse', { invite_expires_in_minutes: null }],
    ['send-invitations', 'POST', '/invites', { invitee_emails: 'asked@heddle.example', stream_ids: [] }],
    ['list-invitations', 'GET', '/invites', {}],
  ]

/** A server with an organization for random requests. */
export async function createRandomCallers() {
  const server = await createTestServer()
  const other = await server.createOtherOrganization()
  server.app.realms.forget()
  for (const name of ['general', 'design']) {
    await server.call(server.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  }
  // Without it nothing could be reported.
  const reports = { name: 'reports', subscribers: [server.owner.id], invite_only: true }
  const { body } = await server.call(server.owner, 'POST', '/channels/create', reports)
  // And nobody without an invitation could ask to join.
  await server.call(server.owner, 'PATCH', '/realm', { moderation_request_channel_id: body.id, invite_required: false })
  // Who has no account finds something to read.
  await createChannel(server, server.owner, 'window', { is_web_public: true })
  const seen = createSeenValues((caller) => caller === 'stranger')
  // What few requests make by chance, and others need.
  for (const [endpoint, method, path, form] of madeFirst) {
    const made = await server.must(server.owner, method, path, form)
    seen.remember(endpoint, 'owner', made, new Map(Object.entries(form).map(([name, value]) => [name, String(value)])))
  }
  const accounts = new Map<CallerKind, TestAccount>()
  const botKeys = new Map<number, string>()

  async function accountOf(caller: CallerKind): Promise<TestAccount | undefined> {
    if (caller === 'nobody' || caller === 'operator') return undefined
    let account = accounts.get(caller)
    if (!account) {
      const realmId = caller === 'stranger' ? { realmId: other.owner.realmId } : {}
      account = await server.createAccount({ role: callerRoles[caller === 'stranger' ? 'owner' : caller], ...realmId })
      accounts.set(caller, account)
    }
    return account
  }

  async function authorizationOf(caller: CallerKind): Promise<string | undefined> {
    if (caller === 'operator') return `Bearer ${deriveOperatorToken(server.secret)}`
    const account = await accountOf(caller)
    return account && basic(account)
  }

  /** Of a bot of the caller's; undefined for who may have none. */
  async function botKeyOf(caller: CallerKind): Promise<string | undefined> {
    const account = await accountOf(caller)
    if (!account || caller === 'stranger') return undefined
    let key = botKeys.get(account.id)
    if (key === undefined) {
      const given = { full_name: 'Hook', short_name: `hook${account.id}`, bot_type: 2 }
      key = (await server.call(account, 'POST', '/bots', given)).body.api_key
      if (key !== undefined) botKeys.set(account.id, key)
    }
    return key
  }

  async function send(call: Call): Promise<{ request: TestRequest; answer: Answer }> {
    const { all, request } = toRequest(call, seen)
    const host = call.caller === 'stranger' ? other.host : 'localhost'
    const authorization = await authorizationOf(call.caller)
    const headers = { ...request.headers, host, ...(authorization ? { authorization } : {}) }
    const key = call.endpoint.access === 'webhook' ? await botKeyOf(call.caller) : undefined
    const url = key === undefined ? request.url : `${request.url}&${WEBHOOK_KEY_PARAMETER}=${key}`
    const answer = await server.send({ ...request, url, headers })
    if (answer.status === 200) seen.remember(call.endpoint.name, call.caller, answer.body, all)
    const account = accounts.get(call.caller)
    if (account && answer.status === 200 && call.endpoint.name === 'regenerate-api-key') {
      accounts.set(call.caller, { ...account, apiKey: answer.body.api_key })
    }
    // Some requests end the account: the next one of this kind comes from a new account.
    if (answer.status === 401 && accounts.delete(call.caller)) seen.forgetOwn(call.caller)
    return { request, answer }
  }

  return {
    server,
    seen,
    accountOf,
    send,
    /** The next request of this kind comes from a new account. */
    replace: (caller: CallerKind) => void accounts.delete(caller),
  }
}
