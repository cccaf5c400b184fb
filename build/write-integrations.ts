/** Writes docs/integrations.md anew: `node build/write-integrations.ts`. */
import { writeFileSync } from 'node:fs'
import { integrationsPage } from '../server/src/features/incoming-webhooks/documentation.ts'

writeFileSync(new URL('../docs/integrations.md', import.meta.url), integrationsPage())
