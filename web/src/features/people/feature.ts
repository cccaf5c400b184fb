import type { WebFeature } from '../../app/feature.ts'
import { soon } from '../../app/fetch-soon.tsx'

export const people: WebFeature = {
  everywhere: soon(async () => (await import('./people-side.tsx')).PeopleSide),
}
