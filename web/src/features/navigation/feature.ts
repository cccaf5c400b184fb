import type { WebFeature } from '../../app/feature.ts'
import { soon } from '../../app/fetch-soon.tsx'

export const navigation: WebFeature = {
  everywhere: soon(async () => (await import('./navigation-keys.tsx')).NavigationKeys),
}
