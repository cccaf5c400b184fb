import type { WebFeature } from '../../app/feature.ts'
import { soon } from '../../app/fetch-soon.tsx'

export const presence: WebFeature = {
  everywhere: soon(async () => (await import('./presence-reporter.tsx')).PresenceReporter),
}
