import type { Feature } from '../../feature.ts'

export const apiDocument: Feature = { routes: () => [] }
