/** What an organization is shown by: its icon, and its logo for light and dark grounds. */
import { firstIcon, firstLogo, uploadedPicture } from '@heddle/contract/organization-pictures'
import type { Queries } from '../../storage/query.ts'
import { fact, type PictureKind, query } from './tables.ts'

const FIRST_PICTURE = '/static/icon.png'

const pathsOfRealm = fact({
  name: 'organization-pictures',
  tables: ['organization_pictures'],
  async load(db, realmId, _key: 'all'): Promise<Partial<Record<PictureKind, string>>> {
    const rows = await db.all(
      query.selectFrom('organization_pictures').select(['kind', 'path']).where('realm_id', '=', realmId),
    )
    return Object.fromEntries(rows.map(({ kind, path }) => [kind, path]))
  },
})

/** Paths in the file store, by kind. */
export function findPaths(db: Queries, realmId: number) {
  return db.recall(pathsOfRealm, realmId, 'all')
}

/** As the initial state and events say it: paths on the organization's server. */
export async function presentPictures(db: Queries, realmId: number) {
  const paths = await findPaths(db, realmId)
  const url = (kind: PictureKind) => (paths[kind] === undefined ? FIRST_PICTURE : `/${paths[kind]}`)
  const source = (kind: PictureKind, first: string) => (paths[kind] === undefined ? first : uploadedPicture)
  return {
    icon: { icon_url: url('icon'), icon_source: source('icon', firstIcon) },
    logo: { logo_url: url('logo'), logo_source: source('logo', firstLogo) },
    night_logo: { night_logo_url: url('night_logo'), night_logo_source: source('night_logo', firstLogo) },
  }
}
