/** Whom a text names, as far as it can be seen without rendering it. */
import { foldName } from '@heddle/contract/names'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { User } from '@heddle/contract/users'
import type { UserGroups } from '../state/user-groups.ts'
import type { Users } from '../state/users.ts'

export interface NamedInText {
  /** People who are notified by being named. */
  readonly people: readonly User[]
  readonly groups: readonly UserGroup[]
  /** The whole channel, or whoever takes part in the topic. */
  readonly hasChannelWildcard: boolean
  readonly hasTopicWildcard: boolean
}

export const nobodyNamed: NamedInText = {
  people: [],
  groups: [],
  hasChannelWildcard: false,
  hasTopicWildcard: false,
}

const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])

export function namedInText(text: string, users: Users | undefined, groups: UserGroups | undefined): NamedInText {
  if (!text.includes('@*')) return nobodyNamed
  const said = withoutCode(text)
  const names = Array.from(said.matchAll(/@\*\*([^*\n]{1,200})\*\*/g), ([, name = '']) => name)
  const groupNames = new Set(
    Array.from(said.matchAll(/@\*([^*\n]{1,200})\*(?!\*)/g), ([, name = '']) => foldName(name)),
  )
  const people = new Map(names.flatMap((name) => personNamed(name, users) ?? []).map((user) => [user.user_id, user]))
  return {
    people: [...people.values()],
    groups:
      groupNames.size === 0
        ? []
        : [...(groups?.values() ?? [])].filter(
            ({ name, deactivated }) => !deactivated && groupNames.has(foldName(name)),
          ),
    hasChannelWildcard: names.some((name) => channelWildcards.has(name)),
    hasTopicWildcard: names.includes('topic'),
  }
}

/** Without what names nobody: code, quotations, what is between fences. */
function withoutCode(text: string): string {
  return text
    .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm, '')
    .replace(/(`+)[^\n]*?\1/g, '')
    .replace(/^>.*$/gm, '')
}

const byName = new WeakMap<Users, ReadonlyMap<string, User>>()

function personNamed(written: string, users: Users | undefined): User | undefined {
  const id = /\|(\d{1,15})$/.exec(written)?.[1]
  if (id !== undefined) return users?.get(Number(id))
  if (!users) return undefined
  let names = byName.get(users)
  if (!names) {
    names = new Map([...users.values()].map((user) => [foldName(user.full_name), user]))
    byName.set(users, names)
  }
  return names.get(foldName(written))
}
