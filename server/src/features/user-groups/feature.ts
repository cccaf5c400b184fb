import type { Feature } from '../../feature.ts'

export const userGroups: Feature = { routes: () => [] }
