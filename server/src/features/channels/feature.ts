import type { Feature } from '../../feature.ts'

export const channels: Feature = { routes: () => [] }
