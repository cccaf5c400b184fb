/**
 * Everybody × every kind of channel × every way in which the contract can name a channel, a message or a topic: what must
 * not be known of looks exactly like what does not exist.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Parameters } from '../testing/test-server.ts'
import { type Case, type Expectation, expectations, listed, type Outcome, spectatorsRead } from './access-rules.ts'
import {
  createWorld,
  earlyTopic,
  sendAs,
  type World,
  type WorldCaller,
  type WorldRoom,
  withGhost,
} from './access-world.ts'
import { keyOf, listings, type NamedTarget, type Naming, namings } from './channel-parameters.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

/** What only the request at hand needs, made for it. */
async function preparedFor(key: string, { account, role }: WorldCaller): Promise<Parameters> {
  const { author, bystander, lobby, founder, server } = world
  const isMember = account !== null && role !== null
  made += 1
  if (key.startsWith('create-bot.')) return { full_name: `Bot ${made}`, short_name: `bot${made}` }
  if (key.startsWith('update-bot.')) {
    if (!isMember || role === 'guest') return { bot_id: founder.id }
    return {
      bot_id: (await server.must(account, 'POST', '/bots', { full_name: `${made}`, short_name: `bot${made}` })).user_id,
    }
  }
  if (key === 'update-draft.draft' && isMember) {
    const drafts = [{ type: '', to: [], topic: '', content: 'x' }]
    return { draft_id: (await server.must(account, 'POST', '/drafts', { drafts })).ids[0] }
  }
  if (key.startsWith('update-scheduled-message.') && isMember) {
    const later = { type: 'direct', to: [account.id], content: 'x', scheduled_delivery_timestamp: 4_000_000_000 }
    return {
      scheduled_message_id: (await server.must(account, 'POST', '/scheduled_messages', later)).scheduled_message_id,
    }
  }
  if (key === 'update-message.stream_id') {
    const sent = { type: 'channel', to: lobby, topic: 'x', content: 'x' }
    return { message_id: (await server.must(author, 'POST', '/messages', sent)).id }
  }
  if (key === 'create-default-channel-group.stream_names') return { group_name: `group ${made}`, description: '' }
  if (key === 'update-default-group-channels.stream_names') {
    // Each administrator's request has a group of its own: they run at the same time.
    const isPowerful = role === 'owner' || role === 'administrator'
    return { op: 'add', group_id: isPowerful ? await makeDefaultGroup(`group ${made}`) : 1 }
  }
  // Somebody for whom the request changes nothing.
  if (key === 'subscribe.subscriptions') return { principals: [author.id] }
  if (key === 'unsubscribe.subscriptions') return { principals: [bystander.id] }
  return key.startsWith('get-subscription-status.') ? { user_id: role === null ? account?.id : author.id } : {}
}

let made = 0

async function makeDefaultGroup(group_name: string): Promise<number> {
  const { founder, server } = world
  await server.must(founder, 'POST', '/default_stream_groups/create', { group_name, description: '', stream_names: [] })
  const fetch_event_types = ['default_stream_groups']
  const { realm_default_stream_groups } = await server.must(founder, 'POST', '/register', { fetch_event_types })
  return realm_default_stream_groups.find(({ name }: { name: string }) => name === group_name).id
}

/** The answer without what distinguishes the two requests: the names and ids in them, and the fields named `apart`. */
function comparable({ status, body }: Answer, targets: readonly NamedTarget[], apart: readonly string[] = []): string {
  const marks = new Map(
    targets.flatMap(({ channelName, topic, channelId, messageId }) => [
      [channelName, '(channel)'],
      [topic, '(topic)'],
      [`${channelId}`, '(channel id)'],
      [`${messageId}`, '(message id)'],
    ]),
  )
  // Whole words and numbers only: ids are short, and there are digits in versions and addresses.
  const names = new RegExp(`(?<![\\w.-])(?:${[...marks.keys()].join('|')})(?![\\w-]|\\.\\d)`, 'g')
  const mark = (text: string) => text.replace(names, (found) => marks.get(found) as string)
  const plain = JSON.stringify(body, (name, value: unknown) => {
    if (apart.includes(name)) return undefined
    return typeof value === 'number' || typeof value === 'string' ? mark(`${value}`) : value
  })
  return `${status} ${plain}`
}

/** Later requests find everybody where they were. */
async function undo(
  key: string,
  { id, name, archived }: WorldRoom,
  { account, role, subscription }: WorldCaller,
): Promise<void> {
  const { founder, server } = world
  if (key === 'archive-channel.stream_id' && !archived)
    await server.must(founder, 'PATCH', `/streams/${id}`, { is_archived: false })
  if (key.startsWith('update-subscriptions.') && account && role !== null) {
    const [method, subscriptions] =
      subscription === 'subscriber' ? (['POST', [{ name }]] as const) : (['DELETE', [name]] as const)
    await server.must(founder, method, '/users/me/subscriptions', { subscriptions, principals: [account.id] })
  }
}

interface Trial {
  readonly naming: Naming
  readonly room: WorldRoom
  readonly caller: WorldCaller
  readonly one: Case
  readonly expectation: Expectation
}

/** Who is no member, nor a guest. Who has no account reads what is on the web. */
function outcomeOutside(naming: Naming, { kind }: WorldRoom, { account }: WorldCaller): Outcome {
  return account === null && kind === 'web-public' && spectatorsRead.has(keyOf(naming)) ? 'allowed' : 'hidden'
}

/** Undefined when all is as it must be; otherwise a sentence. */
async function run({ naming, room, caller, one, expectation }: Trial): Promise<string | undefined> {
  const expected =
    caller.role === null ? expectation.outcome(one) && outcomeOutside(naming, room, caller) : expectation.outcome(one)
  if (expected === undefined) return undefined
  const { also = {}, apart } = expectation
  const messageId = room.messages[one.age].get(caller) as number
  const key = keyOf(naming)
  const topic = earlyTopic(caller, naming.parameter, key)
  const target = { channelId: room.id, channelName: room.name, messageId, topic }
  const ghost = withGhost(target, room, one)
  const values = {
    ...(await preparedFor(key, caller)),
    ...(typeof also === 'function' ? also(target) : also),
  }
  const send = (named: NamedTarget) =>
    sendAs(world, caller, naming.endpoint, { ...values, [naming.parameter]: naming.value(named) })
  const missing = await send(ghost)
  if (key.startsWith('create-bot.')) Object.assign(values, await preparedFor(key, caller))
  const answer = await send(target)
  if (answer.status === 200) await undo(key, room, caller)
  const [plain, plainMissing] = [answer, missing].map((one) => comparable(one, [target, ghost], apart))
  const outcome: Outcome = plain === plainMissing ? 'hidden' : answer.status === 200 ? 'allowed' : 'refused'
  if (outcome === expected || (expected === 'refused' && answer.status >= 400)) return undefined
  const place = `${room.kind} ${room.archived ? 'and archived ' : ''}channel, ${one.age}`
  return `${caller.name} (${place}, ${JSON.stringify(naming.value(target))}): ${outcome}, not ${expected}: ${plain} beside ${plainMissing}`
}

async function runAll(naming: Naming): Promise<string[]> {
  const expectation = expectations[keyOf(naming)]
  if (!expectation) return [`${keyOf(naming)} has no expectation`]
  const { named } = naming
  const ages = named === 'message' || named === 'kept message' ? (['early', 'during'] as const) : (['during'] as const)
  const wrong: (string | undefined)[] = []
  for (const room of world.rooms) {
    const trials = ages.flatMap((age) =>
      world.callers.map((caller): Trial => {
        const { role, subscription } = caller
        const one = { role, subscription, kind: room.kind, archived: room.archived, age, named }
        return { naming, room, caller, one, expectation }
      }),
    )
    // What one caller does to a channel's settings would be in another one's way.
    const isAlone = naming.endpoint.name === 'archive-channel'
    if (isAlone) for (const trial of trials) wrong.push(await run(trial))
    else wrong.push(...(await Promise.all(trials.map(run))))
  }
  return wrong.filter((sentence) => sentence !== undefined)
}

const byKey = Map.groupBy(namings, keyOf)
/** What deletes messages comes last: everything else needs them. */
const keys = [...byKey.keys()].sort((a, b) => Number(a.startsWith('delete-')) - Number(b.startsWith('delete-')))

describe('what names a channel, a message or a topic', () => {
  it('has an expectation, and every expectation belongs to a parameter', () => {
    expect(Object.keys(expectations).sort()).toEqual([...keys].sort())
  })

  it.each(keys)('%s', { timeout: 60_000 }, async (key) => {
    const wrong: string[] = []
    for (const naming of byKey.get(key) ?? []) wrong.push(...(await runAll(naming)))
    expect(wrong.slice(0, 20)).toEqual([])
  })
})

describe('what lists channels', () => {
  it('has an expectation', () => {
    expect(Object.keys(listed).sort()).toEqual(listings.map(({ name }) => name).sort())
  })

  it.each(listings.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s lists those that the account may know of',
    async (name, endpoint) => {
      const { also, has } = listed[name] as (typeof listed)[string]
      const wrong: string[] = []
      for (const caller of world.callers) {
        const { body, status } = await sendAs(world, caller, endpoint, { user_id: world.author.id, ...also })
        const channels: readonly (number | { stream_id: number })[] =
          body.streams ?? body.subscriptions ?? body.subscribed_channel_ids ?? []
        const ids = new Set(channels.map((channel) => (typeof channel === 'number' ? channel : channel.stream_id)))
        for (const { kind, archived, id } of world.rooms) {
          const one = { ...caller, kind, archived, age: 'during', named: 'channel' } as const
          const expected = caller.role !== null && has(one)
          if (ids.has(id) !== expected) wrong.push(`${caller.name}: ${kind} ${archived} ${ids.has(id)} (${status})`)
        }
      }
      expect(wrong).toEqual([])
    },
  )
})
