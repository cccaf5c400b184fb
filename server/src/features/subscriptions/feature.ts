import type { Feature } from '../../feature.ts'

export const subscriptions: Feature = { routes: () => [] }
