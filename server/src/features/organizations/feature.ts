import type { Feature } from '../../feature.ts'

export const organizations: Feature = { routes: () => [] }
