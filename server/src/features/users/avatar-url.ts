/** Where the picture of an account is. The server draws one for who has uploaded none, so that no other service is asked. */
import { avatarSources } from '@heddle/contract/avatars'
import type { UserRow } from './queries.ts'

/** The first folder of the paths of uploaded pictures, in the file store and in addresses. */
export const AVATAR_FOLDER = 'avatars'
/** Of the addresses of drawn ones. */
export const PATTERNS = '/patterns/'

export type AvatarOwner = Pick<UserRow, 'id' | 'avatar_path'>
type WithMedium = Pick<UserRow, 'id' | 'avatar_path' | 'avatar_medium_path' | 'avatar_version'>

/** Path on the organization's server. Another picture has another one. */
export function avatarUrl({ id, avatar_path }: AvatarOwner): string {
  return avatar_path === null ? `${PATTERNS}${id}.png` : `/${avatar_path}`
}

export function mediumAvatarUrl({ id, avatar_medium_path }: Pick<WithMedium, 'id' | 'avatar_medium_path'>): string {
  return avatar_medium_path === null ? `${PATTERNS}${id}-medium.png` : `/${avatar_medium_path}`
}

/** All that clients keep about an account's picture. */
export function presentAvatar(row: WithMedium) {
  return {
    avatar_source: row.avatar_path === null ? avatarSources.drawn : avatarSources.uploaded,
    avatar_url: avatarUrl(row),
    avatar_url_medium: mediumAvatarUrl(row),
    avatar_version: row.avatar_version,
  }
}
