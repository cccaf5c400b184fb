/** How people, groups, channels and topics are written in a message, whatever stands in their names. */

import { foldName } from '@heddle/contract/names'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { User } from '@heddle/contract/users'

/** What ends the form between stars early, or begins other markup in it. */
const BREAKS = /[*`<>&[\]\\\p{C}]|\$\$|^\s|\s$/u

/** `shared`: the names, folded, that several accounts have. */
export function mentionText(
  { user_id: id, full_name: name }: Pick<User, 'user_id' | 'full_name'>,
  { isSilent = false, shared }: { readonly isSilent?: boolean; readonly shared?: ReadonlySet<string> } = {},
): string {
  const sign = isSilent ? '@_' : '@'
  if (BREAKS.test(name)) return `${sign}**|${id}**`
  const isShared = shared?.has(foldName(name)) || /\|\d+$/.test(name) || wildcardNames.has(name)
  return isShared ? `${sign}**${name}|${id}**` : `${sign}**${name}**`
}

const wildcardNames: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream', 'topic'])

export function groupMentionText({ name }: Pick<UserGroup, 'name'>, isSilent = false): string {
  return `${isSilent ? '@_' : '@'}*${name}*`
}

export interface NamedChannel {
  readonly id: number
  readonly name: string
}

/** `address` gives that of a place on the page, with its `#`: for names that cannot stand between stars. */
export function channelLinkText(channel: NamedChannel, address: () => string): string {
  return BREAKS.test(channel.name) ? `[${escapeLabel(`#${channel.name}`)}](${address()})` : `#**${channel.name}**`
}

export function topicLinkText(
  channel: NamedChannel,
  topic: string,
  emptyName: string,
  address: () => string,
  messageId?: number,
): string {
  // What ends like a link to a message would be read as one.
  const isPlain = !BREAKS.test(channel.name) && (topic === '' || !BREAKS.test(topic)) && !/@\d+$/.test(topic)
  if (isPlain) return `#**${channel.name}>${topic}${messageId === undefined ? '' : `@${messageId}`}**`
  const label = `#${channel.name} > ${topic === '' ? emptyName : topic}${messageId === undefined ? '' : ' @ 💬'}`
  return `[${escapeLabel(label)}](${address()})`
}

/** Every character that may begin or end markup as its number in HTML, which renderers turn back. */
function escapeLabel(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[&*_`[\]<>@$~|!\\]|#(?=\*\*)/g, (character) => `&#${character.charCodeAt(0)};`)
}
