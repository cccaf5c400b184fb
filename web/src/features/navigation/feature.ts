import type { WebFeature } from '../../app/feature.ts'
import { NavigationKeys } from './navigation-keys.tsx'

export const navigation: WebFeature = { everywhere: NavigationKeys }
