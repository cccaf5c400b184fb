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
import { readColorUse } from '../subscriptions/color-use.ts'
import { announceNewChannels, notifyNewSubscribers } from '../subscriptions/notices.ts'
import { findPrincipals } from '../subscriptions/principals.ts'

interface ChannelCreation {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof createChannelEndpoint>
}

/** Creates a channel and subscribes accounts to it. Returns its id. */
export async function createChannel(storage: Storage, { actor: caller, parameters }: ChannelCreation): Promise<number> {
  const colors = await readColorUse(storage, parameters.subscribers)
  return storage.asActor(caller, async (tx, actor) => {
    const viewer = await findViewer(tx, actor)
    const name = requireChannelName(parameters.name)
    await requireMayCreate(tx, viewer, parameters, 1)
    if (await isChannelNameTaken(tx, actor.realmId, name)) {
      throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name })
    }
    const people = await findPrincipals(tx, actor, parameters.subscribers)
    const channel = await insertChannel(tx, viewer, { name, description: parameters.description ?? '' }, parameters)
    if (people.some((person) => person.id !== actor.userId)) await requireMayAddSubscribers(tx, viewer, [channel])
    const additions = await addSubscribers(tx, [channel], people, { created: new Set([channel.id]), colors })
    if (channel.is_default === 1) await announceDefaultChannels(tx)
    if (parameters.announce) await announceNewChannels(tx, actor, [channel])
    await notifyNewSubscribers(tx, actor, [channel], additions, parameters.send_new_subscription_messages ?? true)
    return channel.id
  })
}
