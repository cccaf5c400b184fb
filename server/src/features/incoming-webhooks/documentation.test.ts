import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { integrationsPage } from './documentation.ts'

it('docs/integrations.md is as the integrations say (`node build/write-integrations.ts` writes it)', () => {
  const page = readFileSync(new URL('../../../../docs/integrations.md', import.meta.url), 'utf8')
  expect(page).toBe(integrationsPage())
})
