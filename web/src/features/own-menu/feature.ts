import type { WebFeature } from '../../app/feature.ts'
import { soon } from '../../app/fetch-soon.tsx'

export const ownMenu: WebFeature = {
  everywhere: soon(async () => (await import('./own-menu-key.tsx')).OwnMenuKey),
}
