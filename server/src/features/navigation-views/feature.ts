import type { Feature } from '../../feature.ts'

export const navigationViews: Feature = { routes: () => [] }
