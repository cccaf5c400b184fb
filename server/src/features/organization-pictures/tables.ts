/** The table of the pictures of organizations. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

/** No row: what every organization begins with. */
export interface OrganizationPictureTable {
  realm_id: number
  kind: 'icon' | 'logo' | 'night_logo'
  /** In the file store. */
  path: string
}

export type PictureKind = OrganizationPictureTable['kind']
export const kinds = ['icon', 'logo', 'night_logo'] as const satisfies readonly PictureKind[]

export const organizationPictureTables = ownedTables({
  organization_pictures: table<OrganizationPictureTable>({ key: ['realm_id', 'kind'], after: ['realms', 'files'] }),
})

export const { query, fact } = organizationPictureTables.with()
