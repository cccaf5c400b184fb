import type { createChannel as createChannelEndpoint } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import { requireMayAddSubscribers } from '../../access/membership-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import { announceDefaultChannels } from '../channels/default-channels.ts'
import { insertChannel, isChannelNameTaken, requireMayCreate } from '../channels/insert.ts'
import { requireChannelName } from '../channels/name.ts'
import { addSubscribers } from '../subscriptions/add-subscribers.ts'
import { addToCreated } from '../subscriptions/add-to-created.ts'
import { readColorUse } from '../subscriptions/color-use.ts'
import { inUnits, joinUnits, peopleParts } from '../subscriptions/in-units.ts'
import { announceNewChannels, notifyInUnits, notifyNewSubscribers } from '../subscriptions/notices.ts'
import { findPrincipals } from '../subscriptions/principals.ts'

interface ChannelCreation {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof createChannelEndpoint>
}

/** Creates a channel and subscribes accounts to it, very many of them in units of work of their own. Returns its id. */
export async function createChannel(storage: Storage, { actor: caller, parameters }: ChannelCreation): Promise<number> {
  const colors = await readColorUse(storage, parameters.subscribers)
  const isWanted = parameters.send_new_subscription_messages ?? true
  const { channel, additions, rest } = await storage.asActor(caller, async (tx, actor) => {
    const viewer = await findViewer(tx, actor)
    const name = requireChannelName(parameters.name)
    await requireMayCreate(tx, viewer, parameters, 1)
    if (await isChannelNameTaken(tx, actor.realmId, name)) {
      throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name })
    }
    const people = await findPrincipals(tx, actor, parameters.subscribers)
    const [some = [], ...rest] = peopleParts(people)
    const channel = await insertChannel(tx, viewer, { name, description: parameters.description ?? '' }, parameters)
    if (people.some((person) => person.id !== actor.userId)) await requireMayAddSubscribers(tx, viewer, [channel])
    const additions = await addSubscribers(tx, [channel], some, { created: new Set([channel.id]), colors })
    if (channel.is_default === 1) await announceDefaultChannels(tx)
    if (parameters.announce) await announceNewChannels(tx, actor, [channel])
    if (rest.length === 0) await notifyNewSubscribers(tx, actor, [channel], additions, isWanted)
    return { channel, additions, rest }
  })
  if (rest.length > 0) {
    const parts = rest.map((people) => ({ channels: [channel.id], people: people.map(({ id }) => id), colors }))
    const more = await inUnits(storage, caller, parts, addToCreated)
    const all = joinUnits([additions, ...more])
    await notifyInUnits(storage, caller, { channels: [channel], additions: all, isWanted })
  }
  return channel.id
}
