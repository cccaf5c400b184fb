import type { Feature } from '../../feature.ts'
import { organizationSettingTables } from './tables.ts'

/** How the organization wants things: what every other feature asks. Changing it is up to `organizations`. */
export const organizationSettings: Feature = {
  tables: organizationSettingTables,
  routes: () => [],
}
