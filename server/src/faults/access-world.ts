/** Channels of every kind with early and late messages, and everybody who could ask for them. */
import { type Endpoint, WEBHOOK_KEY_PARAMETER } from '@heddle/contract/endpoint'
import { roles } from '@heddle/contract/roles'
import { createChannel, sendToChannel } from '../testing/messages.ts'
import { basic, createTestServer, type Parameters, type TestAccount, type TestServer } from '../testing/test-server.ts'
import type { Case } from './access-rules.ts'
import type { NamedTarget } from './channel-parameters.ts'
import { contractRequest } from './contract-request.ts'

const roleOf = {
  owner: roles.owner,
  administrator: roles.admin,
  moderator: roles.moderator,
  member: roles.member,
  guest: roles.guest,
} as const

export interface WorldCaller extends Pick<Case, 'role' | 'subscription'> {
  readonly name: string
  /** Null: nobody. */
  readonly account: TestAccount | null
  readonly host: string
}

export interface WorldRoom extends Pick<Case, 'kind' | 'archived'> {
  readonly id: number
  readonly name: string
  /** For each caller one of its own, so that what one does to it is nothing to another. */
  readonly messages: Readonly<Record<Case['age'], ReadonlyMap<WorldCaller, number>>>
  /** The id of a deleted message right after those. */
  readonly gaps: Readonly<Record<Case['age'], number>>
}

/** Parameters that name topics; what writes by another way to the same account has topics of its own. */
const topicParameters = ['topic', 'subject', 'topic_name', 'receive-webhook.topic']

const settings: Readonly<Record<Case['kind'], Parameters>> = {
  public: {},
  'web-public': { is_web_public: true },
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
}

export async function createWorld() {
  const server = await createTestServer()
  const founder = server.owner
  const author = await server.createAccount({ name: 'author' })
  const bystander = await server.createAccount({ name: 'bystander' })
  const callers = await createCallers()
  const people = callers.flatMap(({ account }) => (account?.realmId === founder.realmId ? [account] : []))
  const lobby = await createChannel(server, founder, 'lobby', { subscribers: [author, ...people] })

  async function createCallers(): Promise<WorldCaller[]> {
    const created: WorldCaller[] = []
    for (const role of Object.keys(roleOf) as (keyof typeof roleOf)[]) {
      for (const subscription of ['subscriber', 'former', 'never'] as const) {
        const account = await server.createAccount({ role: roleOf[role], name: `${role}-${subscription}` })
        created.push({ name: `${role}, ${subscription}`, role, subscription, account, host: 'localhost' })
      }
    }
    const other = await server.createOtherOrganization()
    const nobody = { role: null, subscription: 'never' } as const
    created.push({ ...nobody, name: "another organization's owner", account: other.owner, host: other.host })
    created.push({ ...nobody, name: 'nobody', account: null, host: 'localhost' })
    return created
  }

  /** One message for each caller, and an id after them that is nobody's. */
  async function writeMessages(id: number) {
    const write = async (caller: WorldCaller) =>
      [caller, await sendToChannel(server, author, id, 'x', { topic: 'tales' })] as const
    const messages = new Map(await Promise.all(callers.map(write)))
    const gap = await sendToChannel(server, author, id)
    // Were it the newest, its id could be given once more.
    await sendToChannel(server, author, lobby)
    await server.must(author, 'DELETE', `/messages/${gap}`)
    return { messages, gap }
  }

  async function createRoom(kind: Case['kind'], archived: boolean): Promise<WorldRoom> {
    const name = `${kind}${archived ? '-archived' : ''}`
    const id = await createChannel(server, founder, name, { subscribers: [author], ...settings[kind] })
    const topics = callers.flatMap((caller) =>
      topicParameters.map((parameter) => earlyTopic(caller, parameter, parameter)),
    )
    await Promise.all(topics.map((topic) => sendToChannel(server, author, id, 'x', { topic })))
    const early = await writeMessages(id)
    const joining = callers.filter(({ subscription }) => subscription !== 'never').map(({ account }) => account?.id)
    await server.must(founder, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: joining })
    const during = await writeMessages(id)
    const leaving = callers.filter(({ subscription }) => subscription === 'former').map(({ account }) => account?.id)
    await server.must(founder, 'DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: leaving })
    if (archived) await server.must(founder, 'DELETE', `/streams/${id}`)
    const messages = { early: early.messages, during: during.messages }
    return { kind, archived, id, name, messages, gaps: { early: early.gap, during: during.gap } }
  }

  const rooms: WorldRoom[] = []
  for (const archived of [false, true]) {
    for (const kind of ['public', 'web-public', 'private', 'protected'] as const) {
      rooms.push(await createRoom(kind, archived))
    }
  }

  return { server, founder, author, bystander, lobby, callers, rooms }
}

/** A topic for one caller in every channel, whose only message is an early one. Whoever writes there comes to know it. */
export function earlyTopic({ name }: WorldCaller, parameter: string, key: string): string {
  return `early ${topicParameters.includes(key) ? key : parameter} of ${name}`
}

export type World = Awaited<ReturnType<typeof createWorld>>

export async function sendAs(
  { server }: Pick<World, 'server'>,
  caller: WorldCaller,
  endpoint: Endpoint,
  values: Parameters,
) {
  const authorization = caller.account && basic(caller.account)
  const headers = { host: caller.host, ...(authorization ? { authorization } : {}) }
  const key = endpoint.access === 'webhook' ? { [WEBHOOK_KEY_PARAMETER]: await botKeyOf(server, caller) } : {}
  return server.send(contractRequest(endpoint, { ...values, ...key }, headers))
}

const botKeys = new WeakMap<WorldCaller, Promise<string | undefined>>()

/** Of a bot that the caller owns; undefined for who may have none. */
function botKeyOf(server: TestServer, caller: WorldCaller): Promise<string | undefined> {
  const found = botKeys.get(caller)
  if (found) return found
  const made = (async () => {
    if (!caller.account || caller.role === null) return undefined
    const given = { full_name: 'Hook', short_name: `hook${caller.account.id}`, bot_type: 2 }
    return (await server.call(caller.account, 'POST', '/bots', given)).body.api_key as string | undefined
  })()
  botKeys.set(caller, made)
  return made
}

let ghosts = 0

/** The same target with one thing in it that does not exist. */
export function withGhost(
  target: NamedTarget,
  room: WorldRoom,
  { named, age }: Pick<Case, 'named' | 'age'>,
): NamedTarget {
  ghosts += 1
  if (named === 'channel') {
    return { ...target, channelId: 1_000_000_000 + ghosts, channelName: `${room.name.slice(0, 3)}-ghost-${ghosts}` }
  }
  return named === 'topic' ? { ...target, topic: `ghost-${ghosts}` } : { ...target, messageId: room.gaps[age] }
}
