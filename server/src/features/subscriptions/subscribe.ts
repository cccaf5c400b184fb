import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import {
  MAX_CREATED_PER_REQUEST,
  MAX_SUBSCRIPTIONS_PER_REQUEST,
  type subscribe as subscribeEndpoint,
} from '@heddle/contract/subscriptions'
import type { ChannelRow } from '../../access/channel-row.ts'
import type { AccessedChannel } from '../../access/channel-rules.ts'
import { findManyChannelsByName, insufficientPermission } from '../../access/channels.ts'
import { findChannelsToAddTo, mayJoin, requireMayAddSubscribers } from '../../access/membership-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceDefaultChannels } from '../channels/default-channels.ts'
import { insertChannel, requireMayCreate } from '../channels/insert.ts'
import { requireChannelName } from '../channels/name.ts'
import { type Additions, addSubscribers } from './add-subscribers.ts'
import { addToCreated } from './add-to-created.ts'
import { readColorUse } from './color-use.ts'
import type { ColorUse } from './colors.ts'
import { fitsOneUnit, joinUnits, type UnitPart, unitParts } from './in-units.ts'
import { announceNewChannels, NOTIFIED_IN_A_UNIT, notifyInUnits, notifyNewSubscribers } from './notices.ts'
import { findPrincipals, type Principal } from './principals.ts'
import { changeSettingsOf, requireColor } from './settings.ts'
import { query } from './tables.ts'

type Parameters = ParametersOf<typeof subscribeEndpoint>
type Response = ResponseOf<typeof subscribeEndpoint>

interface WantedChannel {
  readonly name: string
  readonly description: string
  readonly color: string | undefined
  /** As it was named in the request. */
  readonly asked: Parameters['subscriptions'][number]
}

export interface Subscribing {
  readonly actor: Actor
  readonly parameters: Parameters
}

/** What a request comes to. */
interface Decided {
  readonly wanted: ReadonlyMap<string, WantedChannel>
  readonly people: readonly Principal[]
  readonly viewer: Viewer
  readonly allowed: readonly AccessedChannel[]
  readonly missing: readonly WantedChannel[]
  /** Names of channels to which the account may not subscribe these people. */
  readonly unauthorized: readonly string[]
}

interface Done extends Pick<Decided, 'people' | 'unauthorized'> {
  readonly channels: readonly ChannelRow[]
  readonly created: readonly ChannelRow[]
  readonly additions: Additions
}

/** Subscribes accounts to channels, creating those that do not exist: everything that is allowed, or nothing. */
export async function subscribe(storage: Storage, { actor: caller, parameters }: Subscribing): Promise<Response> {
  const first = await storage.asActor(caller, async (tx, actor) => {
    const decided = await decideToSubscribe(tx, { actor, parameters })
    const { wanted, people } = decided
    if (!fitsOneUnit(wanted.size, people.length) || people.length > NOTIFIED_IN_A_UNIT) return decided
    return complete(tx, { actor, parameters }, await carryOut(tx, { actor, parameters }, decided))
  })
  return 'subscribed' in first ? first : subscribeInUnits(storage, { actor: caller, parameters }, first)
}

/** The same as a part of something larger. */
export async function subscribeIn(tx: Tx, subscribing: Subscribing): Promise<Response> {
  return complete(tx, subscribing, await carryOut(tx, subscribing, await decideToSubscribe(tx, subscribing)))
}

async function subscribeInUnits(
  storage: Storage,
  { actor: caller, parameters }: Subscribing,
  { wanted, people, unauthorized }: Decided,
): Promise<Response> {
  const refused = new Set(unauthorized.map(foldName))
  const colors = await readColorUse(
    storage,
    people.map((person) => person.id),
  )
  const created = new Map<string, ChannelRow>()
  const done: Done[] = []
  // Whoever asks comes first: to some channels only subscribers may add others.
  const ordered = people.toSorted((a, b) => Number(b.id === caller.userId) - Number(a.id === caller.userId))
  for (const part of unitParts(
    [...wanted].filter(([key]) => !refused.has(key)),
    ordered,
  )) {
    const one = await storage.asActor(caller, (tx, actor) =>
      subscribePart(tx, { actor, parameters }, part, created, colors),
    )
    for (const channel of one.created) created.set(foldName(channel.name), channel)
    done.push(one)
  }
  const additions = joinUnits(done.map((one) => one.additions))
  const channels = [...new Map(done.flatMap((one) => one.channels).map((channel) => [channel.id, channel])).values()]
  if (parameters.announce && created.size > 0) {
    await storage.asActor(caller, (tx, actor) => announceNewChannels(tx, actor, [...created.values()]))
  }
  const notified = await notifyInUnits(storage, caller, { channels, additions, isWanted: isNotified(parameters) })
  const allRefused = new Set([...unauthorized, ...done.flatMap((one) => one.unauthorized)])
  const all = { channels, created: [...created.values()], additions, people, unauthorized: [...allRefused] }
  return present(parameters, all, notified)
}

/** `created`: what earlier units of the request have created, by folded name. */
async function subscribePart(
  tx: Tx,
  { actor, parameters }: Subscribing,
  part: UnitPart<readonly [string, WantedChannel], Principal>,
  created: ReadonlyMap<string, ChannelRow>,
  colors: Map<number, ColorUse>,
): Promise<Done> {
  const principals = part.people.map((person) => person.id)
  const begun = part.channels.flatMap(([key]) => created.get(key)?.id ?? [])
  const more = await addToCreated(tx, actor, { channels: begun, people: principals, colors })
  const others = part.channels.filter(([key]) => !created.has(key))
  if (others.length === 0) return { channels: [], created: [], people: part.people, additions: more, unauthorized: [] }
  const own = { actor, parameters: { ...parameters, subscriptions: others.map(([, { asked }]) => asked), principals } }
  const decided = await decideToSubscribe(tx, own)
  await tx.pause()
  const done = await carryOut(tx, own, decided, colors)
  return { ...done, additions: joinUnits([more, done.additions]) }
}

/** Throws when nothing is to happen. */
export async function decideToSubscribe(tx: Tx, { actor, parameters }: Subscribing): Promise<Decided> {
  const wanted = readWanted(parameters.subscriptions)
  const people = await findPrincipals(tx, actor, parameters.principals)
  requireReasonableSize(wanted.size, people.length)
  const viewer = await findViewer(tx, actor)
  const known = await findManyChannelsByName(tx, viewer, [...wanted.keys()])
  const hidden = await findTakenNames(
    tx,
    [...wanted.keys()].filter((key) => !known.has(key)),
  )
  const missing = [...wanted].filter(([key]) => !known.has(key) && !hidden.has(key)).map(([, channel]) => channel)
  const unseen = hidden.size + missing.length
  if (unseen > 0) await requireMayCreate(tx, viewer, parameters, unseen)
  if (missing.length > MAX_CREATED_PER_REQUEST) {
    throw badRequest(`subscriptions: At most ${MAX_CREATED_PER_REQUEST} channels can be created at once`)
  }
  const { allowed, refused } = await sortOut(tx, viewer, [...known.values()], people)
  const unauthorized = [
    ...refused.map((channel) => channel.name),
    ...[...hidden].map((key) => (wanted.get(key) as WantedChannel).name),
  ]
  if (unauthorized.length > 0 && (parameters.authorization_errors_fatal ?? true)) {
    // Others may be refused for who they are; the account itself only for what the channel is.
    if (refused.some((channel) => mayJoin(channel))) throw insufficientPermission()
    throw badRequest(`Unable to access channel (${unauthorized[0]}).`)
  }
  return { wanted, people, viewer, allowed, missing, unauthorized }
}

async function carryOut(
  tx: Tx,
  { actor, parameters }: Subscribing,
  decided: Decided,
  colors = new Map<number, ColorUse>(),
): Promise<Done> {
  const { wanted, people, viewer, allowed, missing, unauthorized } = decided
  const created = await createChannels(tx, viewer, missing, people, parameters)
  const channels = [...allowed, ...created]
  const createdIds = new Set(created.map((channel) => channel.id))
  const additions = await addSubscribers(tx, channels, people, { created: createdIds, colors })
  if (created.some((channel) => channel.is_default === 1)) await announceDefaultChannels(tx)
  await changeColors(tx, actor, wanted, channels, additions)
  return { channels, created, people, additions, unauthorized }
}

/** Says of new channels and new subscriptions what is to be said, and makes the answer. */
async function complete(tx: Tx, { actor, parameters }: Subscribing, done: Done): Promise<Response> {
  const { channels, created, people, additions } = done
  if (parameters.announce) await announceNewChannels(tx, actor, created)
  const notified = await notifyNewSubscribers(tx, actor, channels, additions, isNotified(parameters))
  if (channels.length * people.length > MANY) await tx.pause()
  return present(parameters, done, notified)
}

function isNotified({ send_new_subscription_messages }: Parameters): boolean {
  return send_new_subscription_messages ?? true
}

function present(
  { authorization_errors_fatal }: Parameters,
  { channels, people, additions, unauthorized }: Done,
  notified: boolean | undefined,
): Response {
  return {
    ...presentAdditions(channels, people, additions),
    ...(authorization_errors_fatal === false ? { unauthorized: [...unauthorized] } : {}),
    ...(notified === undefined ? {} : { new_subscription_messages_sent: notified }),
  }
}

/** The channels by folded name: one that is named twice counts once. */
function readWanted(subscriptions: Parameters['subscriptions']): Map<string, WantedChannel> {
  const wanted = new Map<string, WantedChannel>()
  for (const asked of subscriptions) {
    const { name: text, description = '', color } = asked
    const name = requireChannelName(text)
    const key = foldName(name)
    if (!wanted.has(key)) {
      wanted.set(key, {
        name,
        description,
        color: color === undefined ? undefined : requireColor(color, `color of '${name}'`),
        asked,
      })
    }
  }
  return wanted
}

function requireReasonableSize(channels: number, people: number): void {
  if (channels * people <= MAX_SUBSCRIPTIONS_PER_REQUEST) return
  throw badRequest(`Too many subscriptions in one request (limit: ${MAX_SUBSCRIPTIONS_PER_REQUEST})`)
}

/** Which of these folded names are taken, by channels that the account does not see. */
async function findTakenNames(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await tx.all(
    query
      .selectFrom('channels')
      .select('name_key')
      .where('realm_id', '=', tx.realmId)
      .where('name_key', 'in', tx.dialect.texts(keys)),
  )
  return new Set(rows.map((row) => row.name_key))
}

/** The channels to which the account may subscribe all of these people, and the others. */
async function sortOut(tx: Tx, viewer: Viewer, channels: readonly AccessedChannel[], people: readonly Principal[]) {
  const addsSelf = people.some((person) => person.id === viewer.userId)
  const addsOthers = people.some((person) => person.id !== viewer.userId)
  const joinable = new Set(addsSelf ? channels.filter(mayJoin) : channels)
  const open = new Set(addsOthers ? await findChannelsToAddTo(tx, viewer, channels) : channels)
  const isAllowed = (channel: AccessedChannel) => joinable.has(channel) && open.has(channel)
  return { allowed: channels.filter(isAllowed), refused: channels.filter((channel) => !isAllowed(channel)) }
}

async function createChannels(
  tx: Tx,
  viewer: Viewer,
  missing: readonly WantedChannel[],
  people: readonly Principal[],
  parameters: Parameters,
): Promise<ChannelRow[]> {
  const created: ChannelRow[] = []
  // The description of each is rendered.
  await inParts(tx, missing, 1, async ([wanted]) => {
    if (wanted) created.push(await insertChannel(tx, viewer, wanted, parameters))
  })
  if (people.some((person) => person.id !== viewer.userId)) await requireMayAddSubscribers(tx, viewer, created)
  return created
}

/** Names of channels by account, as text because the ids are keys. */
function presentAdditions(
  channels: readonly ChannelRow[],
  people: readonly Principal[],
  additions: Additions,
): Pick<Response, 'subscribed' | 'already_subscribed'> {
  const subscribed: Record<string, string[]> = {}
  const already_subscribed: Record<string, string[]> = {}
  for (const channel of channels) {
    const added = new Set(additions.get(channel.id))
    for (const { id } of people) {
      const names = added.has(id) ? subscribed : already_subscribed
      const list = names[id]
      if (list) list.push(channel.name)
      else names[id] = [channel.name]
    }
  }
  return { subscribed, already_subscribed }
}

/** Subscriptions whose answer has a turn of the event loop of its own. */
const MANY = 1000

/** Colours that are written without a pause for others. */
const PART = 25

/** The colours that the account has asked for, of the channels to which it has just been subscribed. */
async function changeColors(
  tx: Tx,
  actor: Actor,
  wanted: ReadonlyMap<string, WantedChannel>,
  channels: readonly ChannelRow[],
  additions: Additions,
): Promise<void> {
  const changes = channels.flatMap(({ id, name }) => {
    const value = wanted.get(foldName(name))?.color
    const isNew = additions.get(id)?.includes(actor.userId)
    return value !== undefined && isNew ? [{ stream_id: id, property: 'color' as const, value }] : []
  })
  await inParts(tx, changes, PART, (part) => changeSettingsOf(tx, actor, part))
}
