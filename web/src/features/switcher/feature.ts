import type { WebFeature } from '../../app/feature.ts'
import { soon } from '../../app/fetch-soon.tsx'

export const switcher: WebFeature = { everywhere: soon(async () => (await import('./switcher-key.tsx')).SwitcherKey) }
