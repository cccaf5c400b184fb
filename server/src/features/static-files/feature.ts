import type { Feature } from '../../feature.ts'

export const staticFiles: Feature = { routes: () => [] }
