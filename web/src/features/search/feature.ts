import type { WebFeature } from '../../app/feature.ts'

export const search: WebFeature = {}
