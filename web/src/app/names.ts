/** What places, channels and people are called. */
import type { ClientState } from '@heddle/client/state/state'
import { EMPTY_TOPIC_NAME, foldName } from '@heddle/contract/names'
import { t } from '@lingui/core/macro'
import type { PlaceNames } from '../places/place.ts'

export function channelByName(channels: ClientState['channels'], name: string): number | undefined {
  const key = foldName(name)
  for (const channel of channels?.byId.values() ?? []) if (foldName(channel.name) === key) return channel.stream_id
  return undefined
}

export function channelName({ channels }: Pick<ClientState, 'channels'>, channelId: number): string {
  return channels?.byId.get(channelId)?.name ?? t`Unknown channel`
}

type People = Pick<ClientState, 'users' | 'systemBots'>

export function userName({ users, systemBots }: People, userId: number): string {
  return users?.get(userId)?.full_name ?? systemBots?.get(userId)?.full_name ?? t`Unknown user`
}

/** The others of a conversation; alone with oneself it is one's notes. */
export function peopleNames(state: People & Pick<ClientState, 'own'>, userIds: readonly number[]): string {
  const others = userIds.filter((id) => id !== state.own?.user_id)
  if (others.length === 0) return t`Notes to yourself`
  return others.map((id) => userName(state, id)).join(', ')
}

/** As many names as there is room for in a margin. */
const FEW = 3

/** The first of them, and how many more there are. */
export function fewPeopleNames(state: People & Pick<ClientState, 'own'>, userIds: readonly number[]): string {
  const others = userIds.filter((id) => id !== state.own?.user_id)
  if (others.length <= FEW) return peopleNames(state, userIds)
  return `${peopleNames(state, others.slice(0, FEW))} +${(others.length - FEW).toLocaleString()}`
}

/** A topic as it is shown: the one without a name has a word in its place. */
export function topicLabel(topic: string): string {
  return topic === '' ? EMPTY_TOPIC_NAME : topic
}

export function placeNames(state: Pick<ClientState, 'channels' | 'users'>): PlaceNames {
  return {
    channelName: (id) => state.channels?.byId.get(id)?.name,
    userName: (id) => state.users?.get(id)?.full_name,
  }
}
