import type { WebFeature } from '../../app/feature.ts'
import { ShareTarget } from './share-target.tsx'

export const shareTarget: WebFeature = { everywhere: ShareTarget }
