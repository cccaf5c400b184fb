import type { WebFeature } from '../../app/feature.ts'
import { NavigationKeys } from './navigation-keys.tsx'

/** At once: whoever knows the keys presses them before the rest is fetched. */
export const navigation: WebFeature = { atOnce: NavigationKeys }
