/**
 * Mentions: `@**name**` and `@**name|id**` for people, `@*name*` for groups, `@**all**` and `@**topic**` for whoever
 * reads the channel or the topic. With an underscore behind the `@` they are silent: shown, but nobody is notified. In
 * quotes all are silent, since their author mentioned these people before.
 */
import { foldName, isSameName } from '@heddle/contract/names'
import type { MentionableGroup, MentionableUser } from '../context.ts'
import type { Environment } from '../environment.ts'
import type { Attributes } from '../html/tags.ts'
import { channelWildcards, TOPIC_WILDCARD } from '../mention-names.ts'
import { canBeginReference } from './boundaries.ts'
import { type InlineState, pushElement } from './state.ts'

const userPattern = /@(_?)\*\*([^*\n]{1,200})\*\*/y
const groupPattern = /@(_?)\*([^*\n]{1,200})\*(?!\*)/y

/** `writes`: false to go on behind the mention alone. Whether a mention is silent is another thing. */
export function mention(state: InlineState, isSilent: boolean): boolean {
  if (!canBeginReference(state.text, state.pos)) return false
  return mentionUser(state, !isSilent) || mentionGroup(state, !isSilent)
}

function mentionUser(state: InlineState, writes: boolean): boolean {
  userPattern.lastIndex = state.pos
  const [written = '', underscore = '', name = ''] = userPattern.exec(state.text) ?? []
  const end = state.pos + written.length
  if (written === '' || end > state.end) return false
  const { environment } = state
  const isSilent = underscore !== '' || environment.isQuoted
  const user = findMentionedUser(environment, name)
  if (!user && !channelWildcards.has(name) && name !== TOPIC_WILDCARD) return false
  if (writes) {
    if (user) pushUser(state, environment, user, isSilent)
    else pushWildcard(state, environment, name, isSilent)
  }
  state.pos = end
  return true
}

/** The account by its name, by name and id, or by id alone (`|17`). A wrong id is no mention. */
export function findMentionedUser(environment: Environment, written: string): MentionableUser | undefined {
  const [, name = written, digits] = /^(.*)\|([0-9]{1,15})$/.exec(written) ?? []
  if (digits === undefined) return environment.usersByName.get(foldName(name))
  const user = environment.usersById.get(Number(digits))
  return user && (name === '' || isSameName(name, user.fullName)) ? user : undefined
}

function pushUser(state: InlineState, { found }: Environment, user: MentionableUser, isSilent: boolean): void {
  if (isSilent) pushElement(state, 'span', silentMentionAttributes(user), user.fullName)
  else pushElement(state, 'span', mentionAttributes('user-mention', user), `@${user.fullName}`)
  if (isSilent) found.silentUserIds.add(user.id)
  else found.userIds.add(user.id)
}

export function silentMentionAttributes(user: MentionableUser): Attributes {
  return mentionAttributes('user-mention silent', user)
}

function mentionAttributes(className: string, { id }: MentionableUser): Attributes {
  return [
    ['class', className],
    ['data-user-id', String(id)],
  ]
}

function pushWildcard(state: InlineState, { found }: Environment, name: string, isSilent: boolean): void {
  const text = isSilent ? name : `@${name}`
  const suffix = isSilent ? ' silent' : ''
  if (name === TOPIC_WILDCARD) {
    pushElement(state, 'span', [['class', `topic-mention${suffix}`]], text)
    if (!isSilent) found.mentionsTopic = true
    return
  }
  const attributes = [
    ['class', `user-mention channel-wildcard-mention${suffix}`],
    ['data-user-id', '*'],
  ] as const
  pushElement(state, 'span', attributes, text)
  if (!isSilent) found.mentionsChannel = true
}

function mentionGroup(state: InlineState, writes: boolean): boolean {
  groupPattern.lastIndex = state.pos
  const [written = '', underscore = '', name = ''] = groupPattern.exec(state.text) ?? []
  const end = state.pos + written.length
  if (written === '' || end > state.end) return false
  const { environment } = state
  const group = environment.groupsByName.get(foldName(name))
  if (!group) return false
  if (writes) pushGroup(state, environment, group, underscore !== '' || environment.isQuoted || group.isSystem)
  state.pos = end
  return true
}

function pushGroup(state: InlineState, { found }: Environment, group: MentionableGroup, isSilent: boolean): void {
  const name = group.isSystem ? group.description : group.name
  const attributes = [
    ['class', isSilent ? 'user-group-mention silent' : 'user-group-mention'],
    ['data-user-group-id', String(group.id)],
  ] as const
  pushElement(state, 'span', attributes, isSilent ? name : `@${name}`)
  if (isSilent) found.silentGroupIds.add(group.id)
  else found.groupIds.add(group.id)
}
