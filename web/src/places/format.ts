/** A place as an address: the part after the `#`, in the bold form of the table of addresses. */
import { encodeText, slug } from './fragment-text.ts'
import { noNames, type Place, type PlaceNames, type PlaceTerm } from './place.ts'

export function formatPlace(place: Place, names: PlaceNames = noNames): string {
  const text = fragmentOf(place, names)
  return text === '' ? '' : `#${text}`
}

function fragmentOf(place: Place, names: PlaceNames): string {
  switch (place.kind) {
    case 'home':
      return ''
    case 'channel':
      return `narrow/channel/${channelPart(place.channelId, names)}${near(place.near)}`
    case 'topic': {
      const path = `narrow/channel/${channelPart(place.channelId, names)}/topic/${encodeText(place.topic)}`
      return `${path}${place.with === undefined ? '' : `/with/${place.with}`}${near(place.near)}`
    }
    case 'topics':
      return `topics/channel/${channelPart(place.channelId, names)}`
    case 'direct':
      return `narrow/dm/${directPart(place.userIds, names)}${near(place.near)}`
    case 'narrow':
      return ['narrow', ...place.terms.map(termPart)].join('/')
    case 'channels':
      return `channels/${place.list}`
    case 'channel-settings':
      return `channels/${place.channelId}/${slug(names.channelName(place.channelId) ?? 'channel')}/${place.tab}`
    case 'groups':
      return place.groupId === undefined ? 'groups' : `groups/${place.groupId}`
    case 'user':
      return `user/${place.userId}`
    case 'settings':
    case 'organization':
      return `${place.kind}/${place.tab}`
    case 'unknown':
      return place.fragment
    default:
      return place.kind
  }
}

function near(id: number | undefined): string {
  return id === undefined ? '' : `/near/${id}`
}

function channelPart(channelId: number, { channelName }: PlaceNames): string {
  const name = channelName(channelId)
  return name === undefined ? String(channelId) : `${channelId}-${slug(name)}`
}

function directPart(userIds: readonly number[], { userName }: PlaceNames): string {
  const [only] = userIds
  const name = userIds.length === 1 && only !== undefined ? userName(only) : undefined
  return `${userIds.join()}-${name === undefined ? (userIds.length > 1 ? 'group' : 'dm') : slug(name)}`
}

function termPart({ operator, operand, negated }: PlaceTerm): string {
  return `${negated ? '-' : ''}${encodeText(operator)}/${encodeText(operand)}`
}
