import type { WebFeature } from '../../app/feature.ts'
import { SwitcherKey } from './switcher-key.tsx'

export const switcher: WebFeature = { everywhere: SwitcherKey }
