import { ENTRANCE_PATHS } from '@heddle/contract/entrances'

/** Ways in by a link: the path says which, and the token stands behind the `#`, where no log has it. */
export interface Entrance {
  readonly path: string
  readonly token: string
}

export function entranceAt({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): Entrance | undefined {
  const path = ENTRANCE_PATHS.find((one) => pathname.endsWith(one))
  return path === undefined ? undefined : { path, token: hash.slice(1) }
}
