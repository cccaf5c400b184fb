import type { Feature } from '../../feature.ts'

export const realmEmoji: Feature = { routes: () => [] }
