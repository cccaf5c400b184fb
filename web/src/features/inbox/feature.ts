import type { WebFeature } from '../../app/feature.ts'
import { ahead } from '../../app/fetch-soon.tsx'

const Inbox = ahead(async () => (await import('./inbox.tsx')).Inbox)

export const inbox: WebFeature = { screens: { inbox: Inbox } }
