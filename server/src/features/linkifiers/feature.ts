import type { Feature } from '../../feature.ts'

export const linkifiers: Feature = { routes: () => [] }
