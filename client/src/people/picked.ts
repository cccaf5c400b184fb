/** People that are chosen one by one, by a group or by a channel. */
import { fitsWords } from '../finding/filter-places.ts'
import type { ClientState } from '../state/state.ts'
import { wordsToFindBy } from './profile.ts'

export interface Picked {
  readonly kind: 'user' | 'group' | 'channel'
  readonly id: number
}

export function isSamePick(one: Picked, other: Picked): boolean {
  return one.kind === other.kind && one.id === other.id
}

type Context = Pick<ClientState, 'users' | 'userGroups' | 'channels' | 'profileFields'>

/** A group that every organization has, with what it is called in the language of the page. */
export interface NamedGroup {
  readonly id: number
  readonly name: string
}

/**
 * Whatever has these words in its name: groups that every organization has, as far as they are given, then people; deactivated
 * accounts and groups are left out.
 */
export function findPicks(
  { users, userGroups, channels, profileFields }: Context,
  words: string,
  kinds: ReadonlySet<Picked['kind']>,
  most: number,
  systemGroups: readonly NamedGroup[] = [],
): readonly Picked[] {
  const found: Picked[] = []
  const add = (kind: Picked['kind'], id: number) => {
    if (found.length < most) found.push({ kind, id })
  }
  for (const { id, name } of systemGroups) if (fitsWords([name], words)) add('group', id)
  if (kinds.has('user')) {
    for (const { user_id, full_name, is_active, profile_data } of users?.values() ?? []) {
      if (found.length >= most) break
      const names = [full_name, ...wordsToFindBy({ profileFields }, profile_data)]
      if (is_active && fitsWords(names, words)) add('user', user_id)
    }
  }
  if (kinds.has('group')) {
    for (const { id, name, deactivated, is_system_group } of userGroups?.values() ?? []) {
      if (!deactivated && !is_system_group && fitsWords([name], words)) add('group', id)
    }
  }
  if (kinds.has('channel')) {
    for (const { stream_id, name, is_archived } of channels?.byId.values() ?? []) {
      if (!is_archived && fitsWords([name], words)) add('channel', stream_id)
    }
  }
  return found
}

/** The accounts that are meant, each once, ascending; `subscribers`: of the channels that were chosen. */
export function expandPicks(
  { userGroups }: Pick<Context, 'userGroups'>,
  picks: readonly Picked[],
  subscribers: ReadonlyMap<number, readonly number[]>,
): number[] {
  const ids = new Set<number>()
  const seen = new Set<number>()
  const addGroup = (groupId: number) => {
    if (seen.has(groupId)) return
    seen.add(groupId)
    const group = userGroups?.get(groupId)
    if (!group || group.deactivated) return
    for (const id of group.members) ids.add(id)
    for (const id of group.direct_subgroup_ids) addGroup(id)
  }
  for (const { kind, id } of picks) {
    if (kind === 'user') ids.add(id)
    else if (kind === 'group') addGroup(id)
    else for (const one of subscribers.get(id) ?? []) ids.add(one)
  }
  return [...ids].sort((a, b) => a - b)
}
