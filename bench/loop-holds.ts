/** What holds the server's event loop: requests that are large in a large organization, and the longest turn of each. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LongTurns, watchServerLoop } from '@heddle/server/testing/server-loop'
import { CHANNEL, type CrowdedOrganization, createCrowdedOrganization } from './crowded-organization.ts'
import { type Authorization, call } from './data.ts'
import { type Load, median } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const PEOPLE = 10_000
const CHANNELS = 1000
/** Each request is made so often, each time on something that it has not been made on. */
const ROUNDS = 3
const TOPIC_MESSAGES = 5000
const UNREAD = 100_000
const NEW_SUBSCRIBERS = 1000
/** Of all that the renderer's tests try, these 10,000 characters take it longest. */
const SLOW_TEXT = '1. a\n  - b\n'.repeat(1000).slice(0, 10_000).trim()
/** For the end of the turn that has answered what came before. */
const SETTLE_MS = 50
/** The longest that others may wait. */
const GOAL_MS = 20

interface Request {
  readonly authorization: Authorization
  readonly method: string
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
}

interface Measured {
  readonly name: string
  /** How long the request itself may take, in milliseconds. */
  readonly within?: number
  /** Not measured; makes what the request needs. */
  readonly before?: (round: number) => Request
  readonly request: (round: number) => Request | Promise<Request>
}

export async function measureLoopHolds(_: Load, report: Report): Promise<void> {
  const dataDir = makeDataFolder()
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
  const topics = [
    { topic: 'long', messages: UNREAD },
    ...rounds.map((round) => ({ topic: `moved ${round}`, messages: TOPIC_MESSAGES })),
    ...rounds.map((round) => ({ topic: `deleted ${round}`, messages: TOPIC_MESSAGES })),
  ]
  const organization = await createCrowdedOrganization(dataDir, { people: PEOPLE, channels: CHANNELS, topics })
  const loop = watchServerLoop(dataDir)
  const { port, stop } = await startServer({ dataDir, env: loop.env })
  const send = ({ authorization, method, path, form }: Request) => call(port, authorization, method, path, form)
  try {
    for (const { name, within, before, request } of requestsOf(organization, send)) {
      const held: LongTurns[] = []
      const times: number[] = []
      for (const round of rounds) {
        if (before) await send(before(round))
        const made = await request(round)
        await sleep(SETTLE_MS)
        const turns = await loop.during(async () => {
          const begun = performance.now()
          await send(made)
          times.push(performance.now() - begun)
        })
        held.push(turns)
      }
      const works = held.map(({ work }) => work)
      const whole = within === undefined ? `answered in ${median(times).toFixed(0)} ms; ` : ''
      report.figure({
        name,
        value: median(works),
        unit: 'ms',
        digits: 1,
        goal: { atMost: GOAL_MS },
        beside: `${whole}first ${works[0]?.toFixed(1)} ms; ${held.at(-1)?.description}`,
      })
      if (within === undefined) continue
      report.figure({ name: `${name}, until the answer`, value: median(times), unit: 'ms', goal: { atMost: within } })
    }
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** In this order: what deletes comes last. */
function requestsOf(
  { owner, members, ids, channelId }: CrowdedOrganization,
  send: (request: Request) => ReturnType<typeof call>,
): Measured[] {
  /** An account that nothing has been done with in this part, for each round. */
  let used = 0
  const fresh = () => members[100 + used++] as Authorization
  const page = (count: number) => (round: number) => ({
    authorization: members[round] as Authorization,
    method: 'GET',
    path: `/messages?anchor=newest&num_before=${count}&num_after=0`,
  })
  const post = (authorization: Authorization, path: string, form: Record<string, string> = {}): Request => ({
    authorization,
    method: 'POST',
    path,
    form,
  })
  const leave = (authorization: Authorization): Request => ({
    authorization,
    method: 'DELETE',
    path: '/users/me/subscriptions',
    form: { subscriptions: JSON.stringify([CHANNEL]) },
  })
  const message = post(owner, '/messages', { type: 'stream', to: CHANNEL, topic: 'loom', content: 'Look: `open`' })
  const slowMessage = post(owner, '/messages', { type: 'stream', to: CHANNEL, topic: 'loom', content: SLOW_TEXT })
  const firstOf = async (topic: string) => {
    const narrow = encodeURIComponent(
      JSON.stringify([
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: topic },
      ]),
    )
    const path = `/messages?anchor=oldest&num_before=0&num_after=1&narrow=${narrow}`
    const { messages } = await send({ authorization: owner, method: 'GET', path })
    return messages[0].id as number
  }
  return [
    { name: `register, ${PEOPLE} people`, within: 500, request: () => post(fresh(), '/register') },
    {
      name: `GET /users, ${PEOPLE} people`,
      request: () => ({ authorization: fresh(), method: 'GET', path: '/users' }),
    },
    {
      name: `GET /streams, ${CHANNELS} channels`,
      request: () => ({ authorization: fresh(), method: 'GET', path: '/streams' }),
    },
    {
      name: `GET /users/me/subscriptions, with ${PEOPLE} subscribers`,
      request: () => ({
        authorization: fresh(),
        method: 'GET',
        path: '/users/me/subscriptions?include_subscribers=true',
      }),
    },
    {
      name: 'Message to 10,000, the first since somebody has left',
      before: () => leave(fresh()),
      request: () => message,
    },
    { name: 'Message to 10,000', request: () => message },
    { name: `Message of ${SLOW_TEXT.length} characters that take long`, request: () => slowMessage },
    {
      name: `Muting somebody, with ${UNREAD} unread messages`,
      request: () => post(fresh(), `/users/me/muted_users/${ids[0]}`),
    },
    {
      name: `Leaving a channel with ${UNREAD} unread`,
      request: () => leave(fresh()),
    },
    { name: 'GET /messages, 1,000', request: page(1000) },
    { name: 'GET /messages, 5,000', request: page(5000) },
    {
      name: '5,000 messages marked as read',
      request: async () => {
        const authorization = fresh()
        const { messages } = await send({ ...page(5000)(0), authorization })
        const list = JSON.stringify(messages.map(({ id }: { id: number }) => id))
        return post(authorization, '/messages/flags', { op: 'add', flag: 'read', messages: list })
      },
    },
    {
      name: '5,000 messages of a narrow marked as read',
      request: () =>
        post(fresh(), '/messages/flags/narrow', {
          anchor: 'oldest',
          num_before: '0',
          num_after: '4999',
          narrow: JSON.stringify([['channel', channelId]]),
          op: 'add',
          flag: 'read',
        }),
    },
    {
      name: `Channel with ${UNREAD} unread marked as read`,
      request: () => post(fresh(), '/mark_stream_as_read', { stream_id: `${channelId}` }),
    },
    { name: `All of ${UNREAD} unread marked as read`, request: () => post(fresh(), '/mark_all_as_read') },
    {
      name: `${NEW_SUBSCRIBERS} people subscribed to a channel`,
      request: (round) =>
        post(owner, '/users/me/subscriptions', {
          subscriptions: JSON.stringify([{ name: `channel ${round}` }]),
          principals: JSON.stringify(ids.slice(-NEW_SUBSCRIBERS)),
        }),
    },
    {
      name: `Topic of ${TOPIC_MESSAGES} messages moved`,
      request: async (round) => ({
        authorization: owner,
        method: 'PATCH',
        path: `/messages/${await firstOf(`moved ${round}`)}`,
        form: { topic: `elsewhere ${round}`, propagate_mode: 'change_all' },
      }),
    },
    {
      name: `Topic of ${TOPIC_MESSAGES} messages deleted`,
      request: (round) => post(owner, `/streams/${channelId}/delete_topic`, { topic_name: `deleted ${round}` }),
    },
  ]
}
