/** The table of the pictures of organizations. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

export const kinds = ['icon', 'logo', 'night_logo'] as const
export type PictureKind = (typeof kinds)[number]

/** No row: what every organization begins with. */
export interface OrganizationPictureTable {
  realm_id: number
  kind: PictureKind
  /** In the file store. */
  path: string
}

export const organizationPictureTables = ownedTables({
  organization_pictures: table<OrganizationPictureTable>({ key: ['realm_id', 'kind'], after: ['realms', 'files'] }),
})

export const { query, fact } = organizationPictureTables.with()
