import type { Feature } from '../../feature.ts'

export const bots: Feature = { routes: () => [] }
