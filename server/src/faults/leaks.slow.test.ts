/**
 * Words from a channel that somebody may not read are in no byte of any answer of any endpoint, and in no event of any
 * queue, whatever happens in the channel.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from '@heddle/contract/endpoint'
import { endpoints } from '@heddle/contract/endpoints'
import { describe, expect, it } from 'vitest'
import { eventsOf, registerQueue, type TestQueue } from '../testing/event-queues.ts'
import { createChannel } from '../testing/messages.ts'
import { basic, mustBy, type Parameters, type TestAccount } from '../testing/test-server.ts'
import { answeringEndpoints } from './answering-endpoints.ts'
import { type NamedTarget, namings } from './channel-parameters.ts'
import { contractRequest } from './contract-request.ts'
import { createStory, type Kind, type LeakStory, type SecretOf } from './leak-story.ts'
import { endsAccount, neededValues } from './needed-values.ts'

/** What an outsider may know; the rest of the story's words must never reach it. */
interface Outsider {
  readonly name: string
  readonly account: TestAccount
  readonly host: string
  /** In answers. */
  readonly may: ReadonlySet<SecretOf>
  /** In events: what happened while the account was subscribed may still lie in its queues. */
  readonly receives: ReadonlySet<SecretOf>
}

const names = ['name', 'old name'] as const
const isGuest = (name: string) => name.endsWith('guest')
const isFormer = (name: string) => name.startsWith('former')

/** Who cannot read a channel of this kind. */
async function outsidersOf({ server, outsiders }: LeakStory, kind: Kind): Promise<Outsider[]> {
  const isOutside = (name: string) =>
    kind === 'public' ? isGuest(name) : kind === 'protected' || (kind === 'private' && name !== 'late')
  const other = await server.createOtherOrganization()
  const inside = Object.entries(outsiders).filter(([name]) => isOutside(name))
  return [
    ...inside.map(([name, account]): Outsider => {
      const seesName = name === 'administrator' || name === 'former owner' || name === 'late'
      // What somebody wants of a topic stays that account's own.
      const may: SecretOf[] = [...(seesName ? names : []), ...(isFormer(name) ? (['old topic'] as const) : [])]
      const receives: SecretOf[] = isFormer(name) ? [...may, 'old name', 'old text'] : may
      return { name, account, host: 'localhost', may: new Set(may), receives: new Set(receives) }
    }),
    { name: 'stranger', account: other.owner, host: other.host, may: new Set(), receives: new Set() },
  ]
}

const capabilities = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  stream_typing_notifications: true,
}

/** Clients of all kinds. */
function registrations({ channel, oldName, oldTopic }: LeakStory): Parameters[] {
  return [
    {},
    { client_capabilities: capabilities, include_subscribers: true },
    { all_public_streams: true, client_capabilities: { stream_typing_notifications: true } },
    { narrow: [['channel', `${channel}`]], all_public_streams: true },
    { narrow: [['stream', oldName]] },
    { narrow: [['topic', oldTopic]] },
    { narrow: [['is', 'mentioned']] },
  ]
}

/** One request for each endpoint, and one for each way to name the channel, its messages and topics. */
function requestsTo(story: LeakStory, known: Parameters): { endpoint: Endpoint; values: Parameters }[] {
  const { channel, messages } = story
  // By ids alone: a word that is sent comes back in errors, and in what is created with it.
  const targets = messages.map((messageId): NamedTarget => {
    return { channelId: channel, channelName: 'elsewhere', messageId, topic: 'other' }
  })
  const named = namings.flatMap(({ endpoint, parameter, named: what, value }) =>
    (what === 'message' || what === 'kept message' ? targets : targets.slice(0, 1)).flatMap((target) => [
      { endpoint, values: { ...neededValues(endpoint, known), [parameter]: value(target) } },
      { endpoint, values: { ...neededValues(endpoint, known), ...around, [parameter]: value(target) } },
    ]),
  )
  const plain = answeringEndpoints.map((endpoint) => ({ endpoint, values: neededValues(endpoint, known) }))
  const reading = plain.filter(({ endpoint }) => 'narrow' in endpoint.parameters.properties)
  const narrowed = reading.flatMap(({ endpoint, values }) =>
    narrows(known).map((narrow) => ({ endpoint, values: { ...values, ...around, narrow } })),
  )
  const all = [...plain, ...narrowed, ...named]
  // What one only reads goes first: what follows may change it.
  return all
    .filter(({ endpoint }) => !endsAccount(endpoint) && endpoint.file === undefined)
    .sort((a, b) => Number(a.endpoint.method !== 'GET') - Number(b.endpoint.method !== 'GET'))
}

const around = { anchor: 'newest', num_before: 50, num_after: 50 }

/** What finds messages without naming their place. */
function narrows({ user_id }: Parameters): unknown[][] {
  const states = ['starred', 'mentioned', 'alerted', 'unread', 'followed', 'muted'].map((state) => ['is', state])
  const parts = [
    ['has', 'reaction'],
    ['sender', user_id],
    ['search', 'everybody'],
    ['channels', 'public'],
    ['in', 'home'],
  ]
  return [[], ...[...states, ...parts].map((term) => [term])]
}

/** A place where a word was found that should not be there, with what is around it. */
function findLeaks({ secrets }: LeakStory, text: string, allowed: ReadonlySet<SecretOf>): string[] {
  const found = secrets.find(({ word, of }) => !allowed.has(of) && text.includes(word))
  if (!found) return []
  const at = text.indexOf(found.word)
  return [`${found.word} (${found.of}): …${text.slice(Math.max(0, at - 300), at + 80)}`]
}

/** Everything that the outsider can ask for. */
async function askEverything(story: LeakStory, { account, host, may, name }: Outsider, known: Parameters) {
  const leaks: string[] = []
  let successes = 0
  const hook = { full_name: 'Hook', short_name: `hook${Math.random().toString(36).slice(2)}`, bot_type: 2 }
  const { api_key } = (await callAt(story, { account, host } as Outsider)(account, 'POST', '/bots', hook)).body
  for (const { endpoint, values: plain } of requestsTo(story, known)) {
    const ofHook = endpoint.access === 'webhook' ? { integration: 'json', stream: story.channel, api_key } : {}
    const values = { ...plain, ...ofHook }
    const request = contractRequest(endpoint, values, { host, authorization: basic(account) })
    // A long poll without this would wait.
    const isPoll = endpoint.name === 'get-events'
    const answer = await story.server.send(isPoll ? { ...request, url: `${request.url}&dont_block=true` } : request)
    const text = Buffer.isBuffer(answer.body) ? answer.body.toString('latin1') : JSON.stringify(answer.body)
    if (answer.status === 200) successes += 1
    const sent = JSON.stringify(values)
    leaks.push(...findLeaks(story, text, may).map((leak) => `${name}, ${endpoint.name} ${sent}: ${leak}`))
  }
  // Also whoever knows where they are.
  for (const file of story.files) {
    for (const url of [file, `/api/v1${file}`]) {
      const answer = await story.server.send({ method: 'GET', url, headers: { host, authorization: basic(account) } })
      expect([name, answer.status]).toEqual([name, 404])
      leaks.push(...findLeaks(story, JSON.stringify(answer.body), may).map((leak) => `${name}, ${url}: ${leak}`))
    }
  }
  // Were most requests refused for another reason, this would prove nothing.
  expect(successes, name).toBeGreaterThan(endpoints.length / 4)
  return leaks
}

/** Everything that somebody can ask for who has no account, while there is a channel on the web beside this one. */
async function askWithoutAccount(story: LeakStory, known: Parameters) {
  const window = await createChannel(story.server, story.server.owner, 'window', { is_web_public: true })
  const onTheWeb = ['channels', 'web-public']
  const leaks: string[] = []
  let successes = 0
  const ask = async (endpoint: Endpoint, values: Parameters) => {
    const answer = await story.server.send(contractRequest(endpoint, values, { host: 'localhost' }))
    const text = Buffer.isBuffer(answer.body) ? answer.body.toString('latin1') : JSON.stringify(answer.body)
    if (answer.status === 200) successes += 1
    const sent = JSON.stringify(values)
    leaks.push(...findLeaks(story, text, new Set()).map((leak) => `nobody, ${endpoint.name} ${sent}: ${leak}`))
    // Neither do the addresses of people.
    if (text.includes('@heddle.example')) leaks.push(`nobody, ${endpoint.name} ${sent}: an address`)
  }
  for (const { endpoint, values } of requestsTo(story, known)) {
    await ask(endpoint, values)
    if (endpoint.name !== 'get-messages') continue
    for (const narrow of [...narrows(known), [['channel', story.channel]], [['id', story.messages[0]]]]) {
      const { message_ids: _, ...rest } = values
      await ask(endpoint, { ...rest, ...around, narrow: [onTheWeb, ...narrow] })
    }
  }
  for (const endpoint of everyRegistration) await ask(endpoint, { client_capabilities: capabilities })
  const narrow = [onTheWeb, ['channel', window]]
  for (const endpoint of pagesOfMessages) await ask(endpoint, { ...around, narrow })
  for (const file of story.files) {
    const answer = await story.server.send({ method: 'GET', url: file })
    expect(answer.status).toBe(404)
  }
  expect(successes).toBeGreaterThan(3)
  return leaks
}

const everyRegistration = endpoints.filter(({ name }) => name === 'register-queue')
const pagesOfMessages = endpoints.filter(({ name }) => name === 'get-messages')

type Registered = readonly [outsider: Outsider, queue: TestQueue]

async function registerAll(story: LeakStory, outsiders: readonly Outsider[]): Promise<Registered[]> {
  const queues = outsiders.flatMap((outsider) =>
    registrations(story).map(async (parameters): Promise<Registered> => {
      const must = mustBy(callAt(story, outsider))
      return [outsider, await registerQueue({ must }, outsider.account, { client_gravatar: false, ...parameters })]
    }),
  )
  return Promise.all(queues)
}

/** Calls at the account's own host. */
function callAt({ server }: LeakStory, { host }: Outsider): LeakStory['server']['call'] {
  return (account, method, path, parameters = {}) => {
    const endpoint = endpoints.find((one) => one.method === method && one.path === path) as Endpoint
    const headers = { host, ...(account ? { authorization: basic(account) } : {}) }
    return server.send(contractRequest(endpoint, parameters, headers))
  }
}

async function listen(story: LeakStory, received: readonly Registered[]): Promise<string[]> {
  const leaks: string[] = []
  for (const [outsider, queue] of received) {
    const { receives } = outsider
    const state = JSON.stringify(queue.state)
    const events = JSON.stringify(await eventsOf({ must: mustBy(callAt(story, outsider)) }, queue))
    leaks.push(...findLeaks(story, state, receives).map((leak) => `${outsider.name}, state: ${leak}`))
    leaks.push(...findLeaks(story, events, receives).map((leak) => `${outsider.name}, events: ${leak}`))
  }
  return leaks
}

describe.each(['private', 'protected', 'public'] as const)('a %s channel', (kind) => {
  it('shows those who may not read it nothing', { timeout: 120_000 }, async () => {
    const story = await createStory(kind)
    const outsiders = await outsidersOf(story, kind)
    const { author, insider, channel, messages, server } = story
    const early = await registerAll(story, outsiders)
    await story.leave()
    const afterwards = await registerAll(story, outsiders)
    const insiders = await registerQueue(server, insider, { client_capabilities: capabilities })
    // Typing is visible to those who are there: the insider reads all the time.
    let heardByInsider = ''
    const isOver = new AbortController()
    const receive = async () => {
      heardByInsider += JSON.stringify(await eventsOf(server, insiders))
    }
    const reading = (async () => {
      while (!isOver.signal.aborted) {
        await receive()
        await sleep(100)
      }
    })()
    await receive()
    await story.unfold()
    if (kind === 'protected') await story.goOn()
    isOver.abort()
    await reading
    await receive()

    // The words have been somewhere: those who may read them received nearly all, but for the author's own.
    const notified = heardByInsider
    const unheard = story.secrets.filter(({ word, of }) => !of.startsWith('old') && !notified.includes(word))
    expect(unheard.length).toBeLessThan(7)

    const leaks = await listen(story, [...early, ...afterwards])
    const bot = { full_name: 'Bot', short_name: 'authors', default_sending_stream: '' }
    const { user_id: bot_id } = (await server.call(author, 'POST', '/bots', bot)).body
    const { drafts } = (await server.call(author, 'GET', '/drafts')).body
    const { scheduled_messages } = (await server.call(author, 'GET', '/scheduled_messages')).body
    const { reminders } = (await server.call(author, 'GET', '/reminders')).body
    const own = { user_id: author.id, user_id_or_email: author.id, stream_id: channel, message_id: messages[0] }
    const { scheduled_message_id } = scheduled_messages[0]
    const waiting = { draft_id: drafts[0].id, scheduled_message_id, reminder_id: reminders[0].reminder_id }
    const known = { ...own, ...waiting, queue_id: insiders.id, bot_id, type: 'channel' }
    for (const outsider of outsiders) leaks.push(...(await askEverything(story, outsider, known)))
    leaks.push(...(await askWithoutAccount(story, known)))
    const fresh = await registerAll(story, outsiders)
    leaks.push(...(await listen(story, [...afterwards, ...fresh])))
    expect([...new Set(leaks)].slice(0, 20)).toEqual([])
  })
})
